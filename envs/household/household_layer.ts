import { Effect, Layer } from "effect";
import { FileError } from "../../stages/errors.ts";
import type { Environment, TaskSource } from "../env.ts";
import type { EnvironmentChoice } from "../environment_choice.ts";
import { environmentLayer } from "../environment_layer.ts";
import { alfworldTasks } from "./alfworld/alfworld_tasks.ts";
import { diagnoseEpisode } from "./demonstrator/diagnose_episode.ts";
import { householdFormat } from "./format.ts";
import { Household } from "./household.ts";
import { releaseFormat } from "./release/release_format.ts";
import { ReleaseHousehold, releaseMaxTurns } from "./release/release_household.ts";
import { householdTasks } from "./tasks.ts";

/** Turn limit of ALFWorld's games. */
const alfworldMaxTurns = 50;

/**
 * The household: generated games or ALFWorld's, spoken to in one of the presets of
 * `task.prompt`. The expert reads the plain preset only.
 */
export function householdLayer(choice: EnvironmentChoice): Layer.Layer<Environment, FileError> {
  const { prompt } = choice.household;
  return Layer.unwrap(Effect.gen(function* () {
    const warnings: string[] = [];
    const tasks = yield* Effect.try({
      try: () => tasksOf(choice, (message) => warnings.push(message)),
      catch: (error) => {
        if (error instanceof FileError) return error;
        throw error;
      },
    });
    for (const warning of warnings) yield* Effect.logWarning(warning);
    const common = { name: "household", tasks, timeoutMs: choice.timeoutMs };
    if (prompt === "plain") {
      return environmentLayer({
        ...common,
        make: () => new Household(),
        format: householdFormat,
        expert: (_task, first, log, feedback) => diagnoseEpisode(first, log, feedback),
      });
    }
    const odd = prompt === "r3l_released";
    return environmentLayer({ ...common, make: () => new ReleaseHousehold(odd), format: releaseFormat });
  }));
}

function tasksOf(choice: EnvironmentChoice, warn: (message: string) => void): TaskSource {
  const { household: { source, prompt, alfworld: path }, level, badRows } = choice;
  const maxTurns = choice.maxTurns ?? (prompt === "plain" ? null : releaseMaxTurns);
  const kinds = choice.kinds === null ? {} : { kinds: choice.kinds };
  if (source === "generated") {
    return householdTasks({ level, ...kinds, ...(maxTurns === null ? {} : { maxTurns }) });
  }
  if (path === null) {
    throw new FileError({
      path: "data.alfworld",
      reason: "where are ALFWorld's games? Set it, or the environment variable ALFWORLD_DATA",
    });
  }
  return alfworldTasks({ path, badRows, maxTurns: maxTurns ?? alfworldMaxTurns, ...kinds }, warn);
}
