import type { Layer } from "effect";
import type { FileError } from "../../stages/errors.ts";
import type { Environment } from "../env.ts";
import type { EnvironmentChoice } from "../environment_choice.ts";
import { questionLayer } from "../question/question_layer.ts";
import { rowTasks } from "../rows/row_tasks.ts";
import { choiceRow } from "./choice_row.ts";
import { choiceFormat, choiceQuestion } from "./format.ts";
import { type ChoiceGold, verifyMultipleChoice } from "./verify_multiple_choice.ts";

/** Multiple-choice questions from data files, answered by a letter. */
export function multipleChoice(choice: EnvironmentChoice): Layer.Layer<Environment, FileError> {
  const attempts = choice.maxTurns ?? 1;
  return questionLayer({
    name: "multiple_choice",
    format: choiceFormat,
    timeoutMs: choice.timeoutMs,
    verify: (reply, gold) => verifyMultipleChoice(reply, gold as unknown as ChoiceGold),
    unparseable: ["unparseable"],
    solution: (gold) => `\\boxed{${(gold as unknown as ChoiceGold).answer}}`,
    tasks: (warn) =>
      rowTasks({
        name: "multiple_choice",
        files: choice.files,
        badRows: choice.badRows,
        parser: () => (row, index) => {
          const { id, prompt, options, answer, kind } = choiceRow(row, index);
          const question = choiceQuestion(prompt, options);
          return { id, kind, payload: { question, gold: { answer, options }, attempts } };
        },
      }, warn),
  });
}
