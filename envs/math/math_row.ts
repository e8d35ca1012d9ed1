import { boxes } from "../verify/boxes.ts";
import { type Row, RowFault, shown, text } from "../rows/row.ts";

/** A question with its gold answer, whatever set it is from. */
export interface MathRow {
  readonly id: string;
  readonly prompt: string;
  readonly gold: string;
  /** The set's form: `gsm8k`, `math`, `minerva`, `olympiadbench`, `contest`, `dapo` or `openr1`. */
  readonly kind: string;
}

const dapoHead = /^Solve the following math problem step by step\.[^\n]*\n+/;
const dapoTail = /\n+Remember to put your answer on its own line after "Answer:"\.?\s*$/;

/**
 * Reads a row of GSM8K, MATH-500, Minerva, OlympiadBench, AMC23, AIME24/25, DAPO-Math or
 * OpenR1-Math by its fields. Numbers and one-element lists become texts; GSM8K's gold
 * answer is what follows `####`, Minerva's the box in its solution.
 *
 * @throws RowFault
 */
export function mathRow(row: Row, index: number): MathRow {
  const id = String(row.unique_id ?? row.uuid ?? row.id ?? row.idx ?? index);
  if (row.reward_model !== undefined) return dapoRow(row, index);
  if (row.final_answer !== undefined) {
    const context = typeof row.context === "string" && row.context !== "" ? `${row.context}\n` : "";
    return {
      id,
      prompt: context + text(row, "question"),
      gold: gold(row, "final_answer"),
      kind: "olympiadbench",
    };
  }
  const field = row.problem === undefined ? "question" : "problem";
  const prompt = text(row, field);
  if (row.answer === undefined || row.answer === null) {
    if (row.solution === undefined) throw new RowFault("answer", "expected one answer, got nothing");
    const solution = text(row, "solution");
    const box = boxes(solution).at(-1);
    if (!box || box.content.trim() === "") throw new RowFault("solution", "no box with an answer");
    return { id, prompt, gold: box.content.trim(), kind: "minerva" };
  }
  if (typeof row.answer === "string" && row.answer.includes("####")) {
    const worked = row.answer.slice(row.answer.lastIndexOf("####") + 4).trim();
    const number = worked.replace(/[,$]/g, "");
    if (!/^-?\d+(\.\d+)?$/.test(number)) {
      throw new RowFault("answer", `no number behind ####: ${shown(worked)}`);
    }
    return { id, prompt, gold: number, kind: "gsm8k" };
  }
  const kind = row.generations !== undefined || row.uuid !== undefined
    ? "openr1"
    : row.url !== undefined
    ? "contest"
    : "math";
  return { id, prompt, gold: gold(row, "answer"), kind };
}

/** Whether a question asks for a percentage, so that `50%` and `50` say the same. */
export function asksForPercent(prompt: string): boolean {
  return /percent|\\%/i.test(prompt);
}

function dapoRow(row: Row, index: number): MathRow {
  const model = row.reward_model as Row | null;
  const messages = row.prompt;
  const first = Array.isArray(messages)
    ? messages.find((m) => (m as Row | null)?.role === "user")
    : undefined;
  const content = (first as Row | undefined)?.content;
  if (typeof content !== "string") {
    throw new RowFault("prompt", `no message of the user in ${shown(messages)}`);
  }
  if (typeof model !== "object" || model === null) throw new RowFault("reward_model", `got ${shown(model)}`);
  const extra = row.extra_info as Row | null | undefined;
  return {
    id: String(extra?.index ?? index),
    prompt: content.replace(dapoHead, "").replace(dapoTail, "").trim(),
    gold: gold(model, "ground_truth"),
    kind: "dapo",
  };
}

function gold(row: Row, field: string): string {
  const value = row[field];
  const one = Array.isArray(value) && value.length === 1 ? value[0] : value;
  const answer = typeof one === "number" && Number.isFinite(one) ? String(one) : one;
  if (typeof answer === "string" && answer.trim() !== "") return answer.trim();
  throw new RowFault(field, `expected one answer, got ${shown(value)}`);
}
