import { Effect, Stream } from "effect";
import { Environment } from "../../envs/env.ts";
import type { RunConfig } from "../../stages/config/run_config.ts";
import { EnvError } from "../../stages/errors.ts";
import type { TaskAt } from "../../stages/record.ts";
import { trainIndex } from "./train_index.ts";

/**
 * The training tasks of a run, from position `cursor` on: as many as the steps up to
 * `trainer.total_steps` may need. A task is asked for only when it is pulled.
 */
export function taskStream(config: RunConfig, cursor = 0): Stream.Stream<TaskAt, EnvError, Environment> {
  const { trainer, rollout, algorithm } = config;
  const end = trainer.total_steps * rollout.batch_size * algorithm.dynamic_sampling_rounds;
  if (cursor >= end) return Stream.empty;
  return Stream.range(cursor, end - 1).pipe(
    Stream.mapEffect((at) =>
      Effect.gen(function* () {
        const environment = yield* Environment;
        const index = yield* Effect.try({
          try: () => trainIndex(at, trainer.seed, environment.size("train")),
          catch: (error) =>
            new EnvError({
              environment: environment.name,
              task: `train/${at}`,
              operation: "choose",
              reason: error instanceof Error ? error.message : "the size of the split is unknown",
            }),
        });
        return { cursor: at, task: yield* environment.task("train", index) };
      })
    ),
  );
}
