import { Effect } from "effect";
import type { RunConfig } from "../../stages/config/run_config.ts";
import { Engine } from "../../stages/engine/engine.ts";
import type { EngineError, FileError, PolicyError } from "../../stages/errors.ts";
import { type Generation, Policy } from "../../stages/policy/policy.ts";
import { engineLayer, policyLayer } from "../run/run_layers.ts";
import { checkRows } from "./check_rows.ts";

/** What one provider computed, and how fast. */
export interface DeviceMeasurement {
  /** For people: `cpu (2 threads)`. */
  readonly provider: string;
  /** Seconds until the sessions had run once: loading, building, first kernels. */
  readonly startSeconds: number;
  /** Tokens a second of a training step (gradient and optimiser), of sampling, and sampled tokens in all. */
  readonly trainedPerSecond: number;
  readonly sampledPerSecond: number;
  /** Log-probabilities of the check's rows before the step, in nats, row after row. */
  readonly logprobs: readonly number[];
  /** 2-norm of the first gradient. */
  readonly gradNorm: number;
  /** Prompt and what was sampled after it. */
  readonly prompt: readonly number[];
  readonly generations: readonly Generation[];
}

/** Settings of {@link measureDevice}. */
export interface DeviceCheckSize {
  /** Rows of the training step, and their tokens. */
  readonly rows: number;
  readonly length: number;
  /** Sequences sampled at once, and most tokens of each. */
  readonly sequences: number;
  readonly maxTokens: number;
}

const adamw = { lr: 1e-4, beta1: 0.9, beta2: 0.98, eps: 1e-8, weightDecay: 0, clipNorm: 1 };

const timed = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const start = performance.now();
    const value = yield* work;
    return { value, seconds: (performance.now() - start) / 1000 };
  });

/**
 * One training step and one generation with the policy and the provider that
 * `config` names; everything runs once before it is timed.
 */
export function measureDevice(
  config: RunConfig,
  size: DeviceCheckSize,
): Effect.Effect<DeviceMeasurement, EngineError | FileError | PolicyError> {
  const begin = performance.now();
  const training = Effect.gen(function* () {
    const engine = yield* Engine;
    const length = Math.min(size.length, engine.contextLength);
    const rows = checkRows(size.rows, length, engine.vocabularySize);
    const step = Effect.gen(function* () {
      const { logprobs } = yield* engine.accumulate(rows);
      return { logprobs: logprobs.flatMap((row) => [...row.subarray(1)]), ...yield* engine.optimStep(adamw) };
    });
    const { logprobs, gradNorm } = yield* step;
    const startSeconds = (performance.now() - begin) / 1000;
    const { seconds } = yield* timed(step);
    return {
      ...{ provider: engine.provider, startSeconds, logprobs, gradNorm },
      trainedPerSecond: size.rows * length / seconds,
      prompt: rows[0].ids.slice(0, length / 2),
    };
  }).pipe(Effect.provide(engineLayer(config, config.policy.path)));
  return Effect.gen(function* () {
    const trained = yield* training;
    const sampling = Effect.gen(function* () {
      const policy = yield* Policy;
      const requests = Array.from({ length: size.sequences }, (_, i) => ({
        ids: trained.prompt,
        maxTokens: Math.min(size.maxTokens, policy.contextLength - trained.prompt.length),
        temperature: 1,
        seed: `check/${i}`,
        session: `check/${i}`,
      }));
      yield* policy.generate(requests.map((request) => ({ ...request, maxTokens: 2 })));
      yield* policy.release();
      return yield* timed(policy.generate(requests));
    }).pipe(Effect.provide(policyLayer(config, config.policy.path)));
    const { value: generations, seconds } = yield* sampling;
    const sampled = generations.reduce((sum, { ids }) => sum + ids.length, 0);
    return { ...trained, generations, sampledPerSecond: sampled / seconds };
  });
}
