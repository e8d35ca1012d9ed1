import { type Row, RowFault, shown, text, texts } from "../rows/row.ts";
import type { ChoiceGold } from "./verify_multiple_choice.ts";

/** A question with its options and the letter of the right one. */
export interface ChoiceRow extends ChoiceGold {
  readonly id: string;
  readonly prompt: string;
  /** `arc`, `mmlu_pro` or `hellaswag`. */
  readonly kind: string;
}

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/**
 * Reads a row of ARC (`choices` and `answerKey`, digits 1 to 4 as letters by position; or
 * the options in the question, one a line), MMLU-Pro (`options`, `answer`) or HellaSwag
 * (`endings`, `label`).
 *
 * @throws RowFault, also where MMLU-Pro's letter and index disagree.
 */
export function choiceRow(row: Row, index: number): ChoiceRow {
  const id = String(row.question_id ?? row.id ?? row.ind ?? index);
  if (row.endings !== undefined) {
    const options = texts(row, "endings");
    const prompt = `Which ending goes best with the beginning?\n${text(row, "ctx")} ...`;
    return {
      id,
      prompt,
      options,
      answer: letterAt(row, "label", Number(row.label), options),
      kind: "hellaswag",
    };
  }
  if (row.options !== undefined) {
    const options = texts(row, "options");
    const answer = letterAt(row, "answer", letters.indexOf(text(row, "answer")), options);
    if (row.answer_index !== undefined && letters[Number(row.answer_index)] !== answer) {
      throw new RowFault("answer_index", `is ${shown(row.answer_index)}, but answer is ${answer}`);
    }
    return { id, prompt: text(row, "question"), options, answer, kind: "mmlu_pro" };
  }
  if (row.choices !== undefined) {
    const choices = row.choices as Row | null;
    if (typeof choices !== "object" || choices === null) {
      throw new RowFault("choices", `got ${shown(choices)}`);
    }
    const options = texts(choices, "text");
    const labels = texts(choices, "label");
    const at = labels.indexOf(text(row, "answerKey"));
    return {
      id,
      prompt: text(row, "question"),
      options,
      answer: letterAt(row, "answerKey", at, options),
      kind: "arc",
    };
  }
  return inlineRow(row, id);
}

/** `Question?\nA) …\nB) …` in one text, with the key beside. */
function inlineRow(row: Row, id: string): ChoiceRow {
  const field = ["question_with_options", "problem"].find((name) => row[name] !== undefined) ?? "question";
  const whole = text(row, field);
  const key = row.answerKey === undefined ? "answer" : "answerKey";
  const marks = [...whole.matchAll(/(?:^|\n)\s*\(?([A-Z]|\d)[).]\s*/g)];
  const options = marks.map((mark, i) =>
    whole.slice(mark.index + mark[0].length, marks[i + 1]?.index).trim()
  );
  if (options.length < 2) throw new RowFault(field, "no options in it");
  const at = marks.findIndex((mark) => mark[1] === text(row, key).trim());
  return {
    id,
    prompt: whole.slice(0, marks[0].index).trim(),
    options,
    answer: letterAt(row, key, at, options),
    kind: "arc",
  };
}

function letterAt(row: Row, field: string, at: number, options: readonly string[]): string {
  if (Number.isInteger(at) && at >= 0 && at < options.length && at < letters.length) return letters[at];
  throw new RowFault(field, `${shown(row[field])} is none of ${options.length} options`);
}
