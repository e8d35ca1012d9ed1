import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { BufferPool } from "../../../../../stages/policy/onnx/cache/buffer_pool.ts";
import { PackedPast } from "../../../../../stages/policy/onnx/cache/packed_past.ts";
import { KeyValueCache } from "../../../../../stages/policy/onnx/cache/key_value_cache.ts";

const shape = { lanes: 2, kvHeads: 2, headDim: 3 };

/** Adds `count` tokens whose keys and values are all different, also between caches. */
function grow(cache: KeyValueCache, count: number, salt: number): void {
  cache.reserve(cache.length + count);
  for (let lane = 0; lane < shape.lanes; lane++) {
    const batch = Float32Array.from(
      { length: shape.kvHeads * count * shape.headDim },
      (_, i) => salt + lane / 2 + i / 1024,
    );
    cache.write(lane, batch, 0, count, 0, count, 0);
  }
  cache.append(Array(count).fill(salt));
}

Deno.test("what goes on from the batch before is as if it were packed afresh", () => {
  const action = fc.record({
    rows: fc.uniqueArray(fc.nat(4), { minLength: 1, maxLength: 5 }),
    grow: fc.array(fc.nat(40), { minLength: 5, maxLength: 5 }),
    keep: fc.array(fc.nat(90), { minLength: 5, maxLength: 5 }),
    cut: fc.nat(31),
  });
  let continued = 0;
  fc.assert(
    fc.property(fc.array(action, { minLength: 2, maxLength: 8 }), (actions) => {
      const pool = new BufferPool();
      const caches = Array.from({ length: 5 }, () => new KeyValueCache(shape, pool));
      const kept = new PackedPast(shape);
      let salt = 0;
      for (const { rows, grow: counts, keep, cut } of actions) {
        caches.forEach((cache, i) => {
          if (cut & (1 << i)) cache.truncate(keep[i]);
          grow(cache, counts[i], salt++);
        });
        const batch = rows.map((i) => caches[i]);
        const [found, expected] = [kept, new PackedPast(shape)].map((past) => past.pack(batch));
        assertEquals(found.slots, expected.slots);
        if (found.slots > 0) continued++;
        const width = found.slots * shape.headDim;
        batch.forEach((cache, row) => {
          for (let lane = 0; lane < shape.lanes; lane++) {
            for (let head = 0; head < shape.kvHeads; head++) {
              const start = (row * shape.kvHeads + head) * width;
              const held = (of: typeof found) =>
                of.lanes[lane].slice(start, start + cache.length * shape.headDim);
              assertEquals(held(found), held(expected));
            }
          }
        });
      }
    }),
    { numRuns: 100 },
  );
  assert(continued > 100);
});
