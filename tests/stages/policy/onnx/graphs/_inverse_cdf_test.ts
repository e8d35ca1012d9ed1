import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { GraphBuilder } from "../../../../../stages/engine/onnx/graph.ts";
import { inverseCdf } from "../../../../../stages/policy/onnx/graphs/_inverse_cdf.ts";

/** What the graph draws for each row of probabilities at each row's u. */
async function draw(size: number, rows: readonly { readonly p: Float32Array; readonly u: number }[]) {
  const g = new GraphBuilder();
  g.input("p", "float32", ["B", size]);
  g.input("u", "float32", ["B", 1]);
  g.node("Identity", [inverseCdf(g, "p", "u", size)], { outputs: ["id"] });
  g.output("id", "int64", ["B", 1]);
  const session = await InferenceSession.create(g.bytes(), { logSeverityLevel: 3, intraOpNumThreads: 1 });
  const p = new Float32Array(rows.length * size);
  rows.forEach((row, i) => p.set(row.p, i * size));
  const out = await session.run({
    p: new Tensor("float32", p, [rows.length, size]),
    u: new Tensor("float32", Float32Array.from(rows, ({ u }) => u), [rows.length, 1]),
  });
  await session.release();
  return Array.from(out.id.data as BigInt64Array, Number);
}

/** The same in float64, and how far u is from the nearest border of the drawn id, as a share of the total. */
function reference(
  { p, u }: { readonly p: Float32Array; readonly u: number },
): { id: number; margin: number } {
  const total = p.reduce((a, b) => a + b, 0);
  let before = 0;
  for (let id = 0; id < p.length; id++) {
    const after = before + p[id];
    if (after > u * total) return { id, margin: Math.min(after - u * total, u * total - before) / total };
    before = after;
  }
  throw new Error("nothing was drawn");
}

const rows = (size: number) =>
  fc.sample(
    fc.record({
      seed: fc.integer(),
      zeros: fc.constantFrom(0, 0.5, 0.99),
      u: fc.oneof(fc.constantFrom(0, 1), fc.double({ min: 0, max: 1, noNaN: true })),
    }),
    { numRuns: 60, seed: size },
  ).map(({ seed, zeros, u }) => {
    let state = seed >>> 0;
    const next = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
    const p = Float32Array.from({ length: size }, () => next() < zeros ? 0 : Math.exp(8 * next()));
    p[size >> 1] = 1;
    return { p, u: Math.fround(u) };
  });

for (const size of [7, 2048, 2049, 2304, 5000]) {
  Deno.test(`of ${size} ids, the first whose cumulative probability exceeds u`, async () => {
    const cases = rows(size);
    const ids = await draw(size, cases);
    cases.forEach((row, i) => {
      assert(row.p[ids[i]] > 0, `id ${ids[i]} of probability 0 at ${row.u}`);
      if (row.u === 1) return;
      const { id, margin } = reference(row);
      if (margin > 1e-5) assertEquals(ids[i], id);
    });
  });
}

Deno.test("at u = 0 and u = 1 the first and the last id with any probability, across blocks", async () => {
  const size = 3000;
  const p = new Float32Array(size);
  p[129] = p[1500] = p[2998] = 0.1;
  assertEquals(await draw(size, [0, 0.3, 0.34, 0.66, 0.67, 1].map((u) => ({ p, u }))), [
    ...[129, 129, 1500, 1500, 2998, 2998],
  ]);
});
