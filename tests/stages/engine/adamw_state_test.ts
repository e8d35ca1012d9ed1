import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { AdamWState } from "../../../stages/engine/adamw_state.ts";
import type { AdamW } from "../../../stages/engine/engine.ts";
import type { Tensor } from "../../../stages/engine/weights.ts";

const options: AdamW = { lr: 0.1, beta1: 0.9, beta2: 0.99, eps: 1e-8, weightDecay: 0, clipNorm: 0 };

function tensors(entries: Record<string, { shape: number[]; data: number[] }>): Map<string, Tensor> {
  return new Map(
    Object.entries(entries).map((
      [name, { shape, data }],
    ) => [name, { shape, data: Float32Array.from(data) }]),
  );
}

Deno.test("the first step has the size of the learning rate and ascends", () => {
  const weights = tensors({ w: { shape: [1, 3], data: [1, 1, 1] } });
  const report = new AdamWState(weights).update(
    weights,
    tensors({ w: { shape: [1, 3], data: [4, -0.01, 0] } }),
    options,
  );
  // m̂ = g and v̂ = g², so the step is lr·g/(|g| + ε).
  [1.1, 0.9, 1].forEach((x, i) => assertAlmostEquals(weights.get("w")!.data[i], x, 1e-6));
  assertEquals(report.step, 1);
  assertAlmostEquals(report.gradNorm, Math.hypot(4, 0.01), 1e-6);
});

Deno.test("two steps by hand", () => {
  const weights = tensors({ w: { shape: [1, 1], data: [0] } });
  const state = new AdamWState(weights);
  state.update(weights, tensors({ w: { shape: [1, 1], data: [1] } }), options);
  state.update(weights, tensors({ w: { shape: [1, 1], data: [3] } }), options);
  // In descent form g = −1, −3: m = −0.1, then −0.39, m̂ = −0.39/0.19; v = 0.01, then 0.0999, v̂ = 0.0999/0.0199.
  const expected = 0.1 + 0.1 * (0.39 / 0.19) / Math.sqrt(0.0999 / 0.0199);
  assertAlmostEquals(weights.get("w")!.data[0], expected, 1e-6);
});

Deno.test("weight decay is decoupled and spares vectors", () => {
  const shapes = { matrix: { shape: [1, 2], data: [2, -4] }, vector: { shape: [2], data: [2, -4] } };
  const weights = tensors(shapes);
  const gradient = tensors({
    matrix: { shape: [1, 2], data: [0, 0] },
    vector: { shape: [2], data: [0, 0] },
  });
  new AdamWState(weights).update(weights, gradient, { ...options, weightDecay: 0.5 });
  // θ·(1 − lr·λ) = θ·0.95; with L2 in the gradient both would have moved by lr.
  assertEquals(weights.get("matrix")!.data, Float32Array.of(1.9, -3.8));
  assertEquals(weights.get("vector")!.data, Float32Array.of(2, -4));
});

Deno.test("clipping scales all parameters together by clipNorm over the norm", () => {
  const clipped = (clipNorm: number) => {
    const weights = tensors({ a: { shape: [1, 1], data: [0] }, b: { shape: [2], data: [0, 0] } });
    const state = new AdamWState(weights);
    const gradient = tensors({ a: { shape: [1, 1], data: [3] }, b: { shape: [2], data: [4, 12] } });
    const { gradNorm } = state.update(weights, gradient, { ...options, beta1: 0, clipNorm });
    return { gradNorm, moments: [...state.expAvg.values()].flatMap((t) => [...t.data]) };
  };
  assertEquals(clipped(0), { gradNorm: 13, moments: [-3, -4, -12] });
  assertEquals(clipped(13), { gradNorm: 13, moments: [-3, -4, -12] });
  assertEquals(clipped(6.5), { gradNorm: 13, moments: [-1.5, -2, -6] });
});

Deno.test("many steps follow the published algorithm in float64", () => {
  const number = fc.double({ min: -3, max: 3, noNaN: true });
  const run = fc.record({
    start: number,
    gradients: fc.array(number, { minLength: 1, maxLength: 12 }),
    lr: fc.double({ min: 1e-4, max: 0.1, noNaN: true }),
    beta1: fc.double({ min: 0, max: 0.95, noNaN: true }),
    beta2: fc.double({ min: 0.5, max: 0.999, noNaN: true }),
    weightDecay: fc.double({ min: 0, max: 0.3, noNaN: true }),
    clipNorm: fc.constantFrom(0, 0.5, 1),
  });
  fc.assert(fc.property(run, ({ start, gradients, ...rest }) => {
    const settings = { ...rest, eps: 1e-4 };
    const weights = tensors({ w: { shape: [1, 1], data: [start] } });
    const state = new AdamWState(weights);
    const used = gradients.map(Math.fround);
    for (const g of used) state.update(weights, tensors({ w: { shape: [1, 1], data: [g] } }), settings);
    const expected = published(Math.fround(start), used, settings);
    assert(Math.abs(weights.get("w")!.data[0] - expected) < 1e-5);
  }));
});

/** Algorithm 2 of Loshchilov & Hutter (2019) for one parameter, with f = −J. */
function published(theta: number, ascents: readonly number[], o: AdamW): number {
  let [m, v] = [0, 0];
  ascents.forEach((ascent, i) => {
    const t = i + 1;
    let g = -ascent;
    if (o.clipNorm > 0 && Math.abs(g) > o.clipNorm) g = Math.sign(g) * o.clipNorm;
    m = o.beta1 * m + (1 - o.beta1) * g;
    v = o.beta2 * v + (1 - o.beta2) * g ** 2;
    const mHat = m / (1 - o.beta1 ** t);
    const vHat = v / (1 - o.beta2 ** t);
    theta = theta - o.lr * (mHat / (Math.sqrt(vHat) + o.eps) + o.weightDecay * theta);
  });
  return theta;
}

Deno.test("a gradient that is not finite changes nothing", () => {
  const weights = tensors({ w: { shape: [1, 2], data: [1, 2] } });
  const state = new AdamWState(weights);
  const bad = tensors({ w: { shape: [1, 2], data: [1, NaN] } });
  assertThrows(() => state.update(weights, bad, options), RangeError, "NaN");
  assertEquals(state.step, 0);
  assertEquals(weights.get("w")!.data, Float32Array.of(1, 2));
  assertEquals(state.expAvg.get("w")!.data, Float32Array.of(0, 0));
});
