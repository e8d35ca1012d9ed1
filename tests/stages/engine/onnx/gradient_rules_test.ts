import { assert } from "@std/assert";
import { Tensor } from "onnxruntime-node";
import type { FloatType } from "../../../../stages/engine/onnx/emitter.ts";
import { add } from "../../../../stages/engine/onnx/rules/add.ts";
import { addBias } from "../../../../stages/engine/onnx/rules/add_bias.ts";
import { attention } from "../../../../stages/engine/onnx/rules/attention.ts";
import { linear } from "../../../../stages/engine/onnx/rules/linear.ts";
import { lowRank } from "../../../../stages/engine/onnx/rules/low_rank.ts";
import { reshape } from "../../../../stages/engine/onnx/rules/reshape.ts";
import { rmsNorm } from "../../../../stages/engine/onnx/rules/rms_norm.ts";
import { rotary } from "../../../../stages/engine/onnx/rules/rotary.ts";
import { selectRows } from "../../../../stages/engine/onnx/rules/select_rows.ts";
import { sliceLast } from "../../../../stages/engine/onnx/rules/slice_last.ts";
import { swiglu } from "../../../../stages/engine/onnx/rules/swiglu.ts";
import { tokenObjective } from "../../../../stages/engine/onnx/rules/token_objective.ts";
import { transpose } from "../../../../stages/engine/onnx/rules/transpose.ts";
import { Rng } from "../../../../stages/seed.ts";
import { type Fixture, floatTensor, greatestError, greatestRounding, type Input } from "./_differentiate.ts";

const rng = new Rng("gradient rules");

function random(shape: readonly number[], dims: Input["dims"] = shape): Input {
  const data = Array.from({ length: shape.reduce((a, b) => a * b, 1) }, () => rng.normal());
  return { shape, dims, data };
}

const int32 = (data: readonly number[], shape: readonly number[] = [data.length]) =>
  new Tensor("int32", Int32Array.from(data), shape);

const angles = Array.from({ length: 6 }, (_, i) => 0.3 * i + 0.1);

interface ObjectiveSettings {
  readonly chunk?: number;
  readonly entropy: boolean;
  readonly temperature: number;
  /** Another model with two features. */
  readonly against?: boolean;
}

function objectiveFixture(settings: ObjectiveSettings): Fixture {
  const { chunk, entropy, temperature, against = false } = settings;
  return {
    inputs: { x: random([4, 3], ["selected", 3]), head: random([5, 3]) },
    feeds: (type) => ({
      target: int32([4, 0, 4, 2]),
      inverseTemperature: floatTensor(type, [1 / temperature], []),
      weight: floatTensor(type, [0.5, -1, 0, 2], [4]),
      ...(entropy && { entropyWeight: floatTensor(type, [-0.3, 0.7, 1.1, 0], [4]) }),
      ...(against && {
        otherX: floatTensor(type, [0.3, -1, 0.5, 2, -0.7, 0.1, 1.2, 0.4], [4, 2]),
        otherHead: floatTensor(type, [0.2, 0.9, -1.1, 0.4, 0.6, -0.3, 1, 1.5, -0.8, 0.1], [5, 2]),
        divergenceWeight: floatTensor(type, [-0.8, 0, 1.4, 0.6], [4]),
      }),
    }),
    build: (tape, [x, head]) =>
      tape.apply(tokenObjective, [x, head], {
        target: tape.graph.input("target", "int32", ["selected"]),
        inverseTemperature: tape.input("inverseTemperature", []),
        weight: tape.input("weight", ["selected"]),
        ...(entropy && { entropyWeight: tape.input("entropyWeight", ["selected"]) }),
        ...(against && {
          against: {
            x: tape.input("otherX", ["selected", 2]),
            head: tape.input("otherHead", [5, 2]),
            weight: tape.input("divergenceWeight", ["selected"]),
            features: 2,
          },
        }),
        options: { entropy, ...(chunk !== undefined && { chunk }) },
        names: { logprobs: "logprobs", entropy: "entropyOut", divergence: "divergence" },
      }),
    size: 1,
  };
}

const causal = (type: FloatType) =>
  floatTensor(type, [0, -1e9, -1e9, 0, 0, -1e9, 0, 0, 0, 0, -1e9, -1e9, 0, 0, -1e9, 0, 0, 0], [6, 3]);

const fixtures: Record<string, Fixture> = {
  "add": {
    inputs: { a: random([2, 3]), b: random([2, 3]) },
    build: (tape, [a, b]) => tape.apply(add, [a, b], undefined),
    size: 6,
  },
  "addBias": {
    inputs: { x: random([2, 3, 4]), b: random([4]) },
    build: (tape, [x, b]) => tape.apply(addBias, [x, b], undefined),
    size: 24,
  },
  "lowRank": {
    inputs: { x: random([2, 3, 4]), a: random([2, 4]), b: random([5, 2]) },
    build: (tape, [x, a, b]) => tape.apply(lowRank, [x, a, b], { scale: 0.7 }),
    size: 30,
  },
  "sliceLast": {
    inputs: { x: random([2, 3, 5]) },
    build: (tape, [x]) => tape.apply(sliceLast, [x], { begin: 1, end: 4 }),
    size: 18,
  },
  "add of a value to itself": {
    inputs: { a: random([2, 3]) },
    build: (tape, [a]) => tape.apply(add, [a, tape.apply(add, [a, a], undefined)], undefined),
    size: 6,
  },
  "linear, matrix": {
    inputs: { x: random([4, 3], ["n", 3]), w: random([2, 3]) },
    build: (tape, [x, w]) => tape.apply(linear, [x, w], undefined),
    size: 8,
  },
  "linear, batch of sequences": {
    inputs: { x: random([2, 3, 4], ["batch", "time", 4]), w: random([5, 4]) },
    build: (tape, [x, w]) => tape.apply(linear, [x, w], undefined),
    size: 30,
  },
  "rmsNorm": {
    inputs: { x: random([2, 3, 4], ["batch", "time", 4]), w: random([4]) },
    build: (tape, [x, w]) => tape.apply(rmsNorm, [x, w], { eps: 1e-3 }),
    size: 24,
  },
  "rmsNorm without the fused node's scale": {
    inputs: { x: random([2, 3, 4], ["batch", "time", 4]), w: random([4]) },
    build: (tape, [x, w]) => tape.apply(rmsNorm, [x, w], { eps: 1e-3 }),
    size: 24,
    portable: true,
  },
  "rotary": {
    inputs: { x: random([2, 3, 8], ["batch", "time", 8]) },
    feeds: (type) => ({
      cos: floatTensor(type, angles.map(Math.cos), [3, 2]),
      sin: floatTensor(type, angles.map(Math.sin), [3, 2]),
    }),
    build: (tape, [x]) =>
      tape.apply(rotary, [x], {
        cos: tape.input("cos", ["time", 2]),
        sin: tape.input("sin", ["time", 2]),
        heads: 2,
        headDim: 4,
      }),
    size: 48,
  },
  "swiglu": {
    inputs: { gate: random([3, 4]), up: random([3, 4]) },
    build: (tape, [gate, up]) => tape.apply(swiglu, [gate, up], undefined),
    size: 12,
  },
  "attention, two query heads for one key head": {
    inputs: { q: random([2, 1, 6, 2]), k: random([2, 1, 3, 2]), v: random([2, 1, 3, 4]) },
    feeds: (type) => ({ mask: causal(type) }),
    build: (tape, [q, k, v]) =>
      tape.apply(attention, [q, k, v], { mask: tape.input("mask", [6, 3]), scale: 0.7 }),
    size: 48,
  },
  "reshape with one unknown axis": {
    inputs: { x: random([2, 3, 4], ["batch", "time", 4]) },
    build: (tape, [x]) => tape.apply(reshape, [x], { shape: ["batch", "time", 2, 2] }),
    size: 24,
  },
  "reshape whose way back has two unknown axes": {
    inputs: { x: random([2, 3, 4], ["batch", "time", 4]) },
    build: (tape, [x]) => tape.apply(reshape, [x], { shape: ["tokens", 4] }),
    size: 24,
  },
  "transpose": {
    inputs: { x: random([2, 3, 4]) },
    build: (tape, [x]) => tape.apply(transpose, [x], { perm: [2, 0, 1] }),
    size: 24,
  },
  "selectRows": {
    inputs: { x: random([2, 3, 2], ["batch", "time", 2]) },
    feeds: () => ({ index: int32([4, 0, 5]), inverse: int32([1, 3, 3, 3, 0, 2], [2, 3]) }),
    build: (tape, [x]) =>
      tape.apply(selectRows, [x], {
        index: tape.graph.input("index", "int32", ["selected"]),
        inverse: tape.graph.input("inverse", "int32", ["batch", "time"]),
        count: "selected",
      }),
    size: 6,
  },
  "tokenObjective": objectiveFixture({ entropy: false, temperature: 1 }),
  "tokenObjective with entropy and temperature": objectiveFixture({ entropy: true, temperature: 0.6 }),
  "tokenObjective with divergences": objectiveFixture({ entropy: true, temperature: 0.6, against: true }),
  "tokenObjective in chunks with divergences": objectiveFixture({
    chunk: 2,
    entropy: false,
    temperature: 1.3,
    against: true,
  }),
  "tokenObjective in chunks": objectiveFixture({ chunk: 2, entropy: false, temperature: 1 }),
  "tokenObjective in chunks with entropy and temperature": objectiveFixture({
    chunk: 1,
    entropy: true,
    temperature: 1.7,
  }),
};

for (const [name, fixture] of Object.entries(fixtures)) {
  Deno.test(`gradient of ${name} equals central differences in float64`, async () => {
    const error = await greatestError(fixture);
    assert(error < 1e-8, `greatest error ${error}`);
  });
  Deno.test(`${name} in float32 equals float64 up to rounding`, async () => {
    const error = await greatestRounding(fixture);
    assert(error < 1e-5, `greatest difference ${error}`);
  });
}
