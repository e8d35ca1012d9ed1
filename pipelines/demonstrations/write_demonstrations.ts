import { Effect } from "effect";
import { Environment, type EnvironmentShape } from "../../envs/env.ts";
import { type SchoolName, schools } from "../../envs/schools.ts";
import type { RunConfig } from "../../stages/config/run_config.ts";
import { ConfigError, type EnvError, type FileError } from "../../stages/errors.ts";
import type { Message } from "../../stages/policy/chat.ts";
import type { Progress } from "../terminal/progress.ts";
import { wholeFile } from "../run_folder/whole_file.ts";
import { trainIndex } from "../run/train_index.ts";
import { curriculumFaults } from "./curriculum_faults.ts";
import { demonstrateTask } from "./demonstrate_task.ts";
import { lessonConversation } from "./lesson_conversation.ts";

/** What {@link writeDemonstrations} did. */
export interface DemonstrationCounts {
  /** Conversations. */
  readonly written: number;
  /** Replies in them that are to be learned. */
  readonly replies: number;
  /** Tasks whose solution was left out, by reason. */
  readonly unsolved: Readonly<Record<string, number>>;
}

/** A row of the file, as `demonstrationRow` reads it, or why a task has none. */
type Shown =
  | { readonly id: string; readonly messages: readonly Message[] }
  | { readonly id: string; readonly prompt: readonly Message[]; readonly completion: readonly Message[] }
  | { readonly unsolved: string };

/**
 * Writes conversations about training tasks to `demonstrations.out`, one a line, as
 * `algorithm.name=sft` reads them: the environment's own solutions, or with
 * `demonstrations.curriculum` the lessons of its demonstrator. A finite data set is
 * gone through once at most; the file appears whole, at the end. That nothing could be shown is an error.
 */
export const writeDemonstrations: (
  config: RunConfig,
  progress: Progress,
) => Effect.Effect<DemonstrationCounts, ConfigError | EnvError | FileError, Environment> = Effect.fn(
  "writeDemonstrations",
)(function* (config, progress) {
  const { demonstrations: { out, tasks, curriculum }, task: { environment: name }, trainer } = config;
  const environment = yield* Environment;
  const show = curriculum === null
    ? (index: number) => solution(environment, index)
    : yield* lessonsOf(environment, config, curriculum);
  const size = environment.size("train");
  const file = yield* wholeFile(out);
  let written = 0;
  let heard = performance.now();
  const unsolved: Record<string, number> = {};
  let replies = 0;
  for (let cursor = 0; cursor < Math.min(tasks, size); cursor++) {
    for (const row of yield* show(trainIndex(cursor, trainer.seed, size))) {
      if ("unsolved" in row) unsolved[row.unsolved] = (unsolved[row.unsolved] ?? 0) + 1;
      else {
        const said = "messages" in row ? row.messages : row.completion;
        replies += said.filter(({ role }) => role === "assistant").length;
        written++;
        yield* file.append(row);
      }
    }
    progress.activity(`${cursor + 1} tasks, ${written} shown`);
    // Solutions of a generated world never wait for anything, so nothing else would hear a signal.
    if (performance.now() - heard > 100) {
      yield* Effect.sleep(1);
      heard = performance.now();
    }
  }
  if (written === 0) {
    const [reason = "there are no training tasks"] = Object.keys(unsolved);
    return yield* Effect.fail(fault("task.environment", `${name}: ${reason}`));
  }
  yield* file.finish;
  return { written, replies, unsolved };
}, Effect.scoped);

const solution = Effect.fn("solution")(function* (environment: EnvironmentShape, index: number) {
  const task = yield* environment.task("train", index);
  const found = yield* demonstrateTask(task);
  const shown: Shown = "unsolved" in found ? found : { id: task.id, messages: found.messages };
  return [shown];
});

/** A demonstrator's lessons of a task; what is not to be learned is the prompt of what is. */
function lessonsOf(
  { format }: EnvironmentShape,
  config: RunConfig,
  curriculum: NonNullable<RunConfig["demonstrations"]["curriculum"]>,
): Effect.Effect<(index: number) => Effect.Effect<readonly Shown[]>, ConfigError> {
  const faults = curriculumFaults(config);
  if (faults.length > 0) return Effect.fail(new ConfigError({ source: "demonstrations", faults }));
  const { task: { environment: name, level }, algorithm } = config;
  const school = schools[name as SchoolName](level);
  const options = { format, instruction: algorithm.reflect_prompt };
  return Effect.succeed((index) =>
    Effect.sync(() =>
      school.lessons(index, curriculum).map((lesson, k): Shown => {
        const { messages, from } = lessonConversation(lesson, options);
        return {
          id: `${lesson.task.id}/${k}`,
          prompt: messages.slice(0, from),
          completion: messages.slice(from),
        };
      })
    )
  );
}

function fault(path: string, message: string): ConfigError {
  return new ConfigError({ source: "demonstrations", faults: [{ path, message }] });
}
