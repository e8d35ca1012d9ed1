import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { GraphBuilder } from "../../../../../stages/engine/onnx/graph.ts";
import { isDone, sampleToken } from "../../../../../stages/policy/onnx/graphs/_sampler.ts";
import { softmax } from "../../_reference.ts";

const vocab = 7;
const g = new GraphBuilder();
g.input("logits", "float32", ["B", vocab]);
g.input("uniform", "float32", ["B", 1]);
g.input("inverse_temperature", "float32", ["B", 1]);
g.input("greedy", "bool", ["B", 1]);
g.input("limits", "int64", ["B", 1]);
g.input("stops", "bool", [vocab]);
const sample = sampleToken(g, "logits", "uniform", vocab);
g.node("Identity", [sample.token], { outputs: ["token"] });
g.node("Identity", [sample.logprob], { outputs: ["logprob"] });
g.node("Identity", [isDone(g, sample.token, g.int([2], []))], { outputs: ["done"] });
g.output("token", "int64", ["B", 1]);
g.output("logprob", "float32", ["B", 1]);
g.output("done", "bool", ["B", 1]);
const session = await InferenceSession.create(g.bytes(), { logSeverityLevel: 3, intraOpNumThreads: 1 });

interface Row {
  readonly logits: readonly number[];
  readonly u: number;
  readonly temperature: number;
  readonly limit?: number;
}

async function draw(rows: readonly Row[]) {
  const column = (of: (row: Row) => number) =>
    new Tensor("float32", Float32Array.from(rows, of), [rows.length, 1]);
  const out = await session.run({
    logits: new Tensor("float32", Float32Array.from(rows.flatMap((row) => row.logits)), [rows.length, vocab]),
    uniform: column((row) => row.u),
    inverse_temperature: column((row) => row.temperature === 0 ? 1 : 1 / row.temperature),
    greedy: new Tensor("bool", Uint8Array.from(rows, (row) => row.temperature === 0 ? 1 : 0), [
      rows.length,
      1,
    ]),
    limits: new Tensor("int64", BigInt64Array.from(rows, (row) => BigInt(row.limit ?? 9)), [rows.length, 1]),
    stops: new Tensor("bool", Uint8Array.of(0, 0, 1, 0, 0, 1, 0), [vocab]),
  });
  return {
    tokens: Array.from(out.token.data as BigInt64Array, Number),
    logprobs: Array.from(out.logprob.data as Float32Array),
    done: Array.from(out.done.data as Uint8Array, Boolean),
  };
}

const none = -1e30;
const almostOne = 1 - 2 ** -24;

Deno.test("the first id whose cumulative probability exceeds u", async () => {
  // Probabilities 1/4, 0, 1/2, 1/4.
  const logits = [0, none, Math.log(2), 0, none, none, none];
  const us = [0, 0.2499, 0.25, 0.5, 0.7499, 0.75, almostOne];
  const { tokens, logprobs } = await draw(us.map((u) => ({ logits, u, temperature: 1 })));
  assertEquals(tokens, [0, 0, 2, 2, 2, 3, 3]);
  [0.25, 0.25, 0.5, 0.5, 0.5, 0.25, 0.25].forEach((p, i) =>
    assert(Math.abs(logprobs[i] - Math.log(p)) < 1e-6)
  );
});

Deno.test("an id of probability 0 is never drawn, not even at the ends", async () => {
  const logit = fc.oneof(fc.double({ min: -4, max: 4, noNaN: true }), fc.constant(none), fc.constant(-90));
  const rows = fc.sample(
    fc.record({
      logits: fc.array(logit, { minLength: vocab, maxLength: vocab }).filter((x) => x.some((v) => v > -5)),
      u: fc.oneof(
        fc.constant(2 ** -25),
        fc.constant(1),
        fc.integer({ max: 2 ** 24 - 1, min: 0 }).map((n) => Math.fround(n / 2 ** 24 + 2 ** -25)),
      ),
      temperature: fc.constantFrom(0.3, 1, 2),
    }),
    { numRuns: 3000, seed: 5 },
  );
  const { tokens, logprobs } = await draw(rows);
  rows.forEach(({ logits, u, temperature }, i) => {
    const p = softmax(logits.map((x) => x / temperature));
    assert(p[tokens[i]] > 1e-9, `drew id ${tokens[i]} from ${p} at ${u}`);
    assert(Math.abs(logprobs[i] - Math.log(p[tokens[i]])) < 1e-4);
    // The drawn id's slice of the cumulative distribution holds u, to float32's precision.
    const before = p.slice(0, tokens[i]).reduce((a, b) => a + b, 0);
    assert(before <= u + 1e-6 && u <= before + p[tokens[i]] + 1e-6);
  });
});

Deno.test("temperature 0 takes the most likely id and scores it at temperature 1", async () => {
  const logits = [0, 1, 3, 3, 2, 1, 0];
  const { tokens, logprobs } = await draw([{ logits, u: 0.99, temperature: 0 }]);
  assertEquals(tokens, [2]);
  assert(Math.abs(logprobs[0] - Math.log(softmax(logits)[2])) < 1e-6);
});

Deno.test("a row is done at a stop id or at its limit", async () => {
  const certain = (id: number) => Array.from({ length: vocab }, (_, i) => i === id ? 0 : none);
  const row = (id: number, limit: number) => ({ logits: certain(id), u: 0.5, temperature: 1, limit });
  const { tokens, done } = await draw([row(2, 9), row(5, 9), row(3, 9), row(3, 2), row(3, 1), row(3, 3)]);
  assertEquals(tokens, [2, 5, 3, 3, 3, 3]);
  assertEquals(done, [true, true, false, true, true, false]);
});
