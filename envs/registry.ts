import type { Layer } from "effect";
import type { Environment } from "./env.ts";
import { environmentLayer } from "./environment_layer.ts";
import { diagnoseEpisode } from "./household/demonstrator/diagnose_episode.ts";
import { householdFormat } from "./household/format.ts";
import { Household } from "./household/household.ts";
import { householdTasks } from "./household/tasks.ts";

/** What a configuration says about an environment. */
export interface EnvironmentChoice {
  /** Difficulty of generated tasks. */
  readonly level: number;
  /** Turn limit; null is the level's own. */
  readonly maxTurns: number | null;
  /** Relative frequencies of the task types; null is the environment's own. */
  readonly kinds: Readonly<Record<string, number>> | null;
  /** Deadline of one operation in milliseconds. */
  readonly timeoutMs: number;
}

/** Environments by name. A choice that an environment cannot serve fails its tasks with an `EnvError`. */
export const environments: Readonly<
  Record<"household", (choice: EnvironmentChoice) => Layer.Layer<Environment>>
> = {
  household: ({ level, maxTurns, kinds, timeoutMs }) =>
    environmentLayer({
      name: "household",
      make: () => new Household(),
      tasks: householdTasks({
        level,
        ...(maxTurns === null ? {} : { maxTurns }),
        ...(kinds === null ? {} : { kinds }),
      }),
      format: householdFormat,
      timeoutMs,
      expert: (_task, first, log, feedback) => diagnoseEpisode(first, log, feedback),
    }),
};
