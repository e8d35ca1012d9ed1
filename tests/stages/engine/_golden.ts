import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { Effect, type Layer } from "effect";
import { Engine } from "../../../stages/engine/engine.ts";
import { isAdapterName } from "../../../stages/engine/lora.ts";
import { readSafetensors } from "../../../stages/engine/read_safetensors.ts";
import { gradientOf, relativeDifference } from "./_tiny.ts";

/** Where the checkpoints with goldens are, relative to the repository's root as PEFT's files name them. */
export const models = "fixtures/models";
export const TOLERANCE = 1e-4;

/** `expected.json` of a checkpoint. */
export interface Expected {
  readonly temperature: number;
  readonly adamw: {
    lr: number;
    beta1: number;
    beta2: number;
    eps: number;
    weightDecay: number;
    clipNorm: number;
  };
  readonly gradNorm: number;
  readonly rows: {
    ids: number[];
    weights: number[];
    entropyWeights: number[];
    logprobs: number[];
    entropy: number[];
  }[];
  readonly greedy: { ids: number[]; logprobs: number[] };
}

export function readExpected(folder: string): Expected {
  return JSON.parse(Deno.readTextFileSync(`${folder}/expected.json`));
}

/** Runs `use` with a fresh engine of the layer. */
export function withLayer<A, E, E2>(
  layer: Layer.Layer<Engine, E2>,
  use: (engine: typeof Engine.Service) => Effect.Effect<A, E>,
): Promise<A> {
  return Effect.runPromise(Effect.flatMap(Engine, use).pipe(Effect.provide(layer)));
}

/** Compares log-probabilities, entropies, gradient and an AdamW step with `expected.*` in `folder`. */
export async function checkGoldens<E>(
  folder: string,
  engine: Layer.Layer<Engine, E>,
  tolerance = TOLERANCE,
): Promise<void> {
  const { temperature, rows, adamw, gradNorm } = readExpected(folder);
  const { tensors } = await Effect.runPromise(readSafetensors(`${folder}/expected.safetensors`));
  const adapters = [...tensors.keys()].some(isAdapterName);
  const trained = (names: Iterable<string>) => [...names].filter((name) => !adapters || isAdapterName(name));
  const tail = (values: readonly Float32Array[]) => values.flatMap((v) => [...v.subarray(1)]);
  await withLayer(engine, (e) =>
    Effect.gen(function* () {
      const found = yield* e.logprobs(rows.map(({ ids }) => ids), { temperature, entropy: true });
      assert(relativeDifference(tail(found.logprobs), rows.flatMap((r) => r.logprobs)) < tolerance);
      assert(relativeDifference(tail(found.entropy!), rows.flatMap((r) => r.entropy)) < tolerance);
      yield* e.accumulate(rows, { temperature });
      const report = yield* e.optimStep(adamw);
      assertAlmostEquals(report.gradNorm, gradNorm, gradNorm * tolerance);
      const weights = yield* e.weights;
      for (const name of trained(weights.keys())) {
        const stepped = tensors.get(`stepped.${name}`)!.data;
        assert(relativeDifference(weights.get(name)!.data, stepped) < tolerance, `step of ${name}`);
      }
    }));
  const { gradient, names } = await withLayer(engine, (e) =>
    Effect.gen(function* () {
      yield* e.accumulate(rows, { temperature });
      return { gradient: yield* gradientOf(e), names: trained((yield* e.weights).keys()) };
    }));
  assertEquals(names.length * 2, tensors.size);
  let at = 0;
  for (const name of names) {
    const want = tensors.get(`gradient.${name}`)!.data;
    const found = gradient.subarray(at, at += want.length);
    assert(relativeDifference(found, want) < tolerance, `gradient of ${name}`);
  }
}
