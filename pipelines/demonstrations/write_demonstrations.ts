import { Effect } from "effect";
import { Environment } from "../../envs/env.ts";
import type { RunConfig } from "../../stages/config/run_config.ts";
import { ConfigError, type EnvError, type FileError } from "../../stages/errors.ts";
import type { Progress } from "../terminal/progress.ts";
import { wholeFile } from "../run_folder/whole_file.ts";
import { trainIndex } from "../run/train_index.ts";
import { demonstrateTask } from "./demonstrate_task.ts";

/** What {@link writeDemonstrations} did. */
export interface DemonstrationCounts {
  /** Conversations. */
  readonly written: number;
  /** Replies in them. */
  readonly replies: number;
  /** Tasks that were left out, by reason. */
  readonly unsolved: Readonly<Record<string, number>>;
}

/**
 * Writes the environment's own solutions of training tasks to `demonstrations.out`, one
 * conversation a line, as `algorithm.name=sft` reads them. A finite data set
 * is gone through once at most; the file appears whole, at the end. That nothing could be shown is an error.
 */
export const writeDemonstrations: (
  config: RunConfig,
  progress: Progress,
) => Effect.Effect<DemonstrationCounts, ConfigError | EnvError | FileError, Environment> = Effect.fn(
  "writeDemonstrations",
)(function* ({ demonstrations: { out, tasks }, task: { environment: name }, trainer }, progress) {
  const environment = yield* Environment;
  const size = environment.size("train");
  const file = yield* wholeFile(out);
  let written = 0;
  const unsolved: Record<string, number> = {};
  let replies = 0;
  for (let cursor = 0; cursor < Math.min(tasks, size); cursor++) {
    const task = yield* environment.task("train", trainIndex(cursor, trainer.seed, size));
    const found = yield* demonstrateTask(task);
    if ("unsolved" in found) unsolved[found.unsolved] = (unsolved[found.unsolved] ?? 0) + 1;
    else {
      replies += found.messages.filter(({ role }) => role === "assistant").length;
      written++;
      yield* file.append({ id: task.id, messages: found.messages });
    }
    progress.activity(`${cursor + 1} tasks, ${written} shown`);
    // Solutions of a generated world never wait for anything, so nothing else would hear a signal.
    if (cursor % 16 === 15) yield* Effect.sleep(0);
  }
  if (written === 0) {
    const [reason = "there are no training tasks"] = Object.keys(unsolved);
    return yield* Effect.fail(
      new ConfigError({
        source: "demonstrations",
        faults: [{ path: "task.environment", message: `${name}: ${reason}` }],
      }),
    );
  }
  yield* file.finish;
  return { written, replies, unsolved };
}, Effect.scoped);
