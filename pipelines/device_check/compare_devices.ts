import { Effect } from "effect";
import type { RunConfig } from "../../stages/config/run_config.ts";
import { Engine } from "../../stages/engine/engine.ts";
import type { EngineError, FileError } from "../../stages/errors.ts";
import { engineLayer } from "../run/run_layers.ts";
import type { DeviceMeasurement } from "./measure_device.ts";

/** How far a device is from the CPU, and how far it may be. */
export interface Disagreement {
  readonly what: string;
  readonly found: number;
  readonly most: number;
}

/** Devices may multiply in TensorFloat-32: a mantissa of 10 bits, over the depth of a model. */
const MOST = 2e-2;

/**
 * Compares a device with the CPU: log-probabilities of given tokens (largest
 * difference in nats), the norm of a gradient (relative), and the log-probabilities
 * that the device sampled with against what the CPU's engine gives for the same tokens.
 */
export function compareDevices(
  cpuConfig: RunConfig,
  cpu: DeviceMeasurement,
  device: DeviceMeasurement,
): Effect.Effect<readonly Disagreement[], EngineError | FileError> {
  return Effect.gen(function* () {
    const engine = yield* Engine;
    const { prompt, generations } = device;
    const scored = yield* engine.logprobs(generations.map(({ ids }) => [...prompt, ...ids]));
    const sampled = generations.flatMap(({ logprobs }) => logprobs);
    const expected = scored.logprobs.flatMap((row) => [...row.subarray(prompt.length)]);
    return [
      { what: "log-probabilities (nats)", found: gap(device.logprobs, cpu.logprobs), most: MOST },
      { what: "gradient norm (relative)", found: Math.abs(device.gradNorm / cpu.gradNorm - 1), most: MOST },
      { what: "sampled log-probabilities (nats)", found: gap(sampled, expected), most: MOST },
    ];
  }).pipe(Effect.provide(engineLayer(cpuConfig, cpuConfig.policy.path)));
}

/** Largest difference; infinite if a value is not a number. */
function gap(a: readonly number[], b: readonly number[]): number {
  return a.reduce((most, x, i) => {
    const difference = Math.abs(x - b[i]);
    return Number.isNaN(difference) ? Infinity : Math.max(most, difference);
  }, a.length === b.length ? 0 : Infinity);
}
