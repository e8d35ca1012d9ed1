import { Effect, Layer } from "effect";
import { Environment } from "../../envs/env.ts";
import type { RunConfig } from "../../stages/config/run_config.ts";
import { EnvError } from "../../stages/errors.ts";
import { environmentOf } from "../run/environment_of.ts";
import { policyLayer } from "../run/run_layers.ts";
import { lockFile } from "../run_folder/lock_file.ts";
import { tryFile } from "../run_folder/try_file.ts";
import { trainIndex } from "../run/train_index.ts";
import { type Gathered, gatherNegatives, type IndexedTask, together } from "./gather_negatives.ts";
import { importNegatives, readRecorded } from "./import_negatives.ts";
import { NegativesFile, type Settings } from "./negatives_file.ts";

/** Where the negatives of a configuration go: where its algorithm reads them, unless it says otherwise. */
export function negativesPath({ negatives, algorithm, task, trainer }: RunConfig): string {
  return negatives.out ?? algorithm.reflective.file ??
    `runs/negatives-${task.environment}-seed${trainer.seed}.jsonl`;
}

/**
 * Gathers golden negative trajectories with the policy at `policy.path` on the training
 * tasks that a run with `trainer.seed` plays first, or from recorded attempts, which need
 * that policy's tokenizer alone; `rollout.batch_size` tasks at a time. Goes on where it
 * was stopped; `progress` hears of every batch.
 */
export const buildNegatives = Effect.fnUntraced(function* (
  config: RunConfig,
  progress: (done: number, total: number) => void = () => {},
) {
  const path = negativesPath(config);
  const size = config.rollout.batch_size;
  const folder = path.replace(/[^/]*$/, "") || ".";
  const layers = Layer.mergeAll(policyLayer(config, config.policy.path), environmentOf(config));
  return yield* Effect.gen(function* () {
    const { from: recordings, tasks: most } = config.negatives;
    const recorded = recordings === null ? undefined : yield* readRecorded(recordings, config);
    // Nothing is written before all that is read is known to be sound.
    yield* tryFile(folder, () => Deno.mkdirSync(folder, { recursive: true }));
    yield* lockFile(`${path}.part`);
    const file = yield* tryFile(path, () => new NegativesFile(path, settingsOf(config)));
    const total = Math.min(most, recorded?.length ?? (yield* Environment).size("train"));
    for (let from = file.batches.length * size; from < total; from += size) {
      const to = Math.min(from + size, total);
      const batch = recorded === undefined
        ? yield* gatherNegatives(yield* tasksAt(from, to, config), config)
        : together(yield* Effect.forEach(recorded.slice(from, to), (row) => importNegatives(row, config)));
      yield* tryFile(path, () => file.add(batch));
      progress(Math.min(from + size, total), total);
    }
    yield* tryFile(path, () => file.finish());
    return file.batches as readonly Gathered[];
  }).pipe(Effect.provide(layers));
}, Effect.scoped);

const tasksAt = Effect.fnUntraced(function* (from: number, to: number, config: RunConfig) {
  const tasks: IndexedTask[] = [];
  for (let cursor = from; cursor < to; cursor++) tasks.push(yield* taskAt(cursor, config));
  return tasks;
});

const taskAt = Effect.fnUntraced(function* (cursor: number, { trainer }: RunConfig) {
  const environment = yield* Environment;
  const index = yield* Effect.try({
    try: () => trainIndex(cursor, trainer.seed, environment.size("train")),
    catch: (error) =>
      new EnvError({
        environment: environment.name,
        task: `train/${cursor}`,
        operation: "choose",
        reason: (error as Error).message,
      }),
  });
  return { cursor, index, task: yield* environment.task("train", index) };
});

/** What the rows depend on; how fast they are made is not in it. */
function settingsOf(config: RunConfig): Settings {
  const { negatives: { out: _out, ...negatives }, task, data, policy, trainer } = config;
  const { concurrency: _concurrency, env_timeout_s: _timeout, n: _n, ...rollout } = config.rollout;
  const { prompt, max_prompt } = config.algorithm.reflective;
  const sections = { task, data, policy, rollout, negatives, reflective: { prompt, max_prompt } };
  const keys = Object.entries(sections).flatMap(([section, values]) =>
    Object.entries(values).map(([key, value]) => [`${section}.${key}`, value])
  );
  return { ...Object.fromEntries(keys), "trainer.seed": trainer.seed };
}
