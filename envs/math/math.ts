import type { Layer } from "effect";
import type { FileError } from "../../stages/errors.ts";
import type { Environment } from "../env.ts";
import type { EnvironmentChoice } from "../environment_choice.ts";
import { questionLayer } from "../question/question_layer.ts";
import { rowTasks } from "../rows/row_tasks.ts";
import { KillableWorker } from "../verify/killable_worker.ts";
import { mathAnswers } from "./formats.ts";
import { asksForPercent, mathRow } from "./math_row.ts";

/** Longest time of one comparison in milliseconds. */
const limitMs = 5000;
/** Where both sides are plain numbers nothing can take long. */
const plain = /^[-+]?[\d.,]{1,40}$/;

interface MathGold {
  readonly answer: string;
  readonly percent: boolean;
}

/**
 * Mathematical questions from data files, with `maxTurns` attempts (default 1) that are
 * told only right or wrong. Answers other than plain numbers are compared in a
 * worker that is killed after 5 s; such an attempt fails as `not checked`.
 */
export function math(choice: EnvironmentChoice): Layer.Layer<Environment, FileError> {
  const style = choice.mathAnswer;
  const { format, verify, write } = mathAnswers[style];
  const worker = new KillableWorker(
    new URL("../verify/verifier_worker.ts", import.meta.url),
    Math.min(limitMs, choice.timeoutMs / 2),
  );
  const attempts = choice.maxTurns ?? 1;
  return questionLayer({
    name: "math",
    format,
    timeoutMs: choice.timeoutMs,
    verify: (reply, gold) => {
      const { answer, percent } = gold as unknown as MathGold;
      const said = /^\\boxed\{([^{}]*)\}$/.exec(reply)?.[1] ?? "";
      return style !== "boxed" || (plain.test(answer) && plain.test(said))
        ? verify(reply, answer, percent)
        : worker.verify("math", reply, answer, { percent });
    },
    unparseable: ["no_answer", "several_answers", "too_long"],
    solution: (gold) => write((gold as unknown as MathGold).answer),
    close: () => worker.close(),
    tasks: async (warn) => {
      if (style === "boxed") await worker.start();
      return rowTasks({
        name: "math",
        files: choice.files,
        badRows: choice.badRows,
        parser: () => (row, index) => {
          const { id, prompt, gold, kind } = mathRow(row, index);
          const payload = {
            question: prompt,
            gold: { answer: gold, percent: asksForPercent(prompt) },
            attempts,
          };
          return { id, kind, payload };
        },
      }, warn);
    },
  });
}
