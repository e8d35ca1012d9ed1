import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { nextBatch } from "../../../../stages/policy/onnx/_next_batch.ts";

const limits = { rows: 4, steps: 32, prefill: 100, scores: 2 ** 30, heads: 2, prefillsAlone: false };
const row = (pending: number, past = 0, remaining = 8) => ({ pending, past, remaining });

Deno.test("long prompts together first, then those with the longest past", () => {
  const rows = [row(1, 50), row(20), row(9), row(1, 70), row(30), row(30, 9)];
  assertEquals(nextBatch(rows, limits), { rows: [5, 4, 1, 2], steps: 8, partial: false });
  assertEquals(nextBatch([row(1, 5), row(1, 9), row(1, 5)], limits).rows, [1, 0, 2]);
});

Deno.test("batches are of even size", () => {
  const rows = Array.from({ length: 9 }, () => row(5));
  assertEquals(nextBatch(rows, limits).rows.length, 3);
  assertEquals(nextBatch(rows.slice(0, 6), limits).rows.length, 3);
  assertEquals(nextBatch(rows.slice(0, 4), limits).rows.length, 4);
});

Deno.test("a few late prompts only catch up with the sequences that continue", () => {
  assertEquals(nextBatch([row(1, 9), row(7)], limits), { rows: [1], steps: 1, partial: false });
  assertEquals(nextBatch([row(7)], limits).steps, 8);
});

Deno.test("a decoder that samples on elsewhere samples one token after a prompt", () => {
  const alone = { ...limits, prefillsAlone: true };
  assertEquals(nextBatch([row(7)], alone).steps, 1);
  assertEquals(nextBatch([row(1, 9)], alone).steps, 8);
});

Deno.test("a prompt longer than the prefill limit is computed in parts", () => {
  assertEquals(nextBatch([row(5), row(101), row(400)], limits), { rows: [2, 1], steps: 1, partial: true });
  assertEquals(nextBatch([row(5), row(100)], limits).partial, false);
});

Deno.test("attention scores bound the rows of a batch, but one always runs", () => {
  const rows = Array.from({ length: 4 }, () => row(10, 90));
  assertEquals(nextBatch(rows, { ...limits, scores: 2 * 10 * 100 * 2 }).rows.length, 2);
  assertEquals(nextBatch(rows, { ...limits, scores: 1 }).rows.length, 1);
});

Deno.test("every batch is within its limits and brings the work nearer to its end", () => {
  const candidate = fc.record({
    pending: fc.integer({ min: 1, max: 300 }),
    past: fc.nat(200),
    remaining: fc.integer({ min: 1, max: 80 }),
  });
  fc.assert(fc.property(fc.array(candidate, { minLength: 1, maxLength: 20 }), (candidates) => {
    const batch = nextBatch(candidates, limits);
    assert(batch.rows.length >= 1 && batch.rows.length <= limits.rows);
    assertEquals(new Set(batch.rows).size, batch.rows.length);
    assert(batch.steps >= 1 && batch.steps <= limits.steps);
    assert(batch.rows.every((i) => batch.partial === candidates[i].pending > limits.prefill));
  }));
});
