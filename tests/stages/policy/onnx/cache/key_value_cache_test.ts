import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { BufferPool } from "../../../../../stages/policy/onnx/cache/buffer_pool.ts";
import { KeyValueCache } from "../../../../../stages/policy/onnx/cache/key_value_cache.ts";

const pool = new BufferPool();
const shape = { lanes: 2, kvHeads: 3, headDim: 2 };

/** A number that says where it belongs. */
const entry = (id: number, lane: number, head: number, dim: number) => id * 100 + lane * 50 + head * 10 + dim;

/** A batch of one row [1, heads, slots, dim] whose slots `from…` hold `ids`; everything else is NaN. */
function batchOf(ids: readonly number[], lane: number, slots: number, from: number): Float32Array {
  const batch = new Float32Array(shape.kvHeads * slots * shape.headDim).fill(NaN);
  for (let head = 0; head < shape.kvHeads; head++) {
    ids.forEach((id, i) => {
      for (let dim = 0; dim < shape.headDim; dim++) {
        batch[(head * slots + from + i) * shape.headDim + dim] = entry(id, lane, head, dim);
      }
    });
  }
  return batch;
}

function add(cache: KeyValueCache, ids: readonly number[], slots: number, from: number): void {
  cache.reserve(cache.length + ids.length);
  for (let lane = 0; lane < shape.lanes; lane++) {
    cache.write(lane, batchOf(ids, lane, slots, from), 0, slots, from, ids.length, 0);
  }
  cache.append(ids);
}

function assertHolds(cache: KeyValueCache, ids: readonly number[]): void {
  assertEquals(cache.length, ids.length);
  assertEquals(cache.commonPrefix([...ids, 99]), ids.length);
  const slots = ids.length + 2;
  for (let lane = 0; lane < shape.lanes; lane++) {
    const size = shape.kvHeads * slots * shape.headDim;
    const batch = new Float32Array(2 * size).fill(NaN);
    cache.read(lane, batch, 1, slots, 0);
    assertEquals(batch.subarray(size), batchOf(ids, lane, slots, 0));
  }
}

Deno.test("a cache holds what was appended since the last cut, however it grew", () => {
  const part = fc.array(fc.nat(90), { maxLength: 70 });
  fc.assert(
    fc.property(fc.array(fc.tuple(part, fc.nat(5), fc.nat(100)), { maxLength: 8 }), (parts) => {
      const cache = new KeyValueCache(shape, pool);
      let held: number[] = [];
      for (const [ids, pad, keep] of parts) {
        add(cache, ids, ids.length + 2 * pad, pad);
        held.push(...ids);
        assertHolds(cache, held);
        const fork = cache.fork(Math.min(keep, held.length));
        add(fork, [1, 2, 3], 3, 0);
        assertHolds(fork, [...held.slice(0, keep), 1, 2, 3]);
        assertHolds(cache, held);
        cache.truncate(keep);
        held = held.slice(0, keep);
        if (keep % 3 === 0) fork.release();
      }
      cache.release();
      assertEquals(cache.length, 0);
    }),
    { numRuns: 30 },
  );
});

Deno.test("the common prefix ends at the first difference or where either ends", () => {
  const cache = new KeyValueCache(shape, pool);
  add(cache, [5, 6, 7], 3, 0);
  assertEquals(
    [[5, 6, 7, 8], [5, 6], [5, 9, 7], [], [6]].map((ids) => cache.commonPrefix(ids)),
    [3, 2, 1, 0, 0],
  );
});
