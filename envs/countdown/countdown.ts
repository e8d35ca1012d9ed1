import type { Layer } from "effect";
import type { FileError } from "../../stages/errors.ts";
import type { Environment } from "../env.ts";
import type { EnvironmentChoice } from "../environment_choice.ts";
import { questionLayer } from "../question/question_layer.ts";
import { rowTasks } from "../rows/row_tasks.ts";
import { countdownFormat } from "./format.ts";
import { solveCountdown } from "./solve_countdown.ts";
import { countdownRow, countdownTasks } from "./tasks.ts";
import { type CountdownGold, verifyCountdown } from "./verify_countdown.ts";

/** Countdown: tasks of a level, or rows in TinyZero's form if the choice names files. */
export function countdown(choice: EnvironmentChoice): Layer.Layer<Environment, FileError> {
  const attempts = choice.maxTurns ?? 1;
  const name = "countdown";
  return questionLayer({
    name,
    format: countdownFormat,
    timeoutMs: choice.timeoutMs,
    verify: (reply, gold) => verifyCountdown(reply, gold as unknown as CountdownGold),
    unparseable: ["no_answer", "too_long", "invalid"],
    solution: (gold) => {
      const found = solveCountdown(gold as unknown as CountdownGold);
      return found === null ? null : `<answer>${found}</answer>`;
    },
    tasks: (warn) => {
      const { files, badRows } = choice;
      if (Object.values(files).every((path) => path === null)) return countdownTasks(choice.level, attempts);
      const parser = () => (row: Parameters<typeof countdownRow>[0], i: number) =>
        countdownRow(row, i, attempts);
      return rowTasks({ name, files, badRows, parser }, warn);
    },
  });
}
