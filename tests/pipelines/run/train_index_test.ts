import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { trainIndex } from "../../../pipelines/run/train_index.ts";

const range = (n: number) => Array.from({ length: n }, (_, i) => i);

Deno.test("every epoch of a finite split holds each task once, in an order of its own", () => {
  fc.assert(fc.property(fc.integer({ min: 1, max: 30 }), fc.nat(99), (size, seed) => {
    for (const epoch of [0, 1, 5]) {
      const order = range(size).map((i) => trainIndex(epoch * size + i, seed, size));
      assertEquals(order.toSorted((a, b) => a - b), range(size));
    }
  }));
  const epoch = (n: number) => range(20).map((i) => trainIndex(20 * n + i, 1, 20));
  assert(JSON.stringify(epoch(0)) !== JSON.stringify(epoch(1)));
});

Deno.test("the first task after an epoch is the next epoch's first, wherever one asks from", () => {
  const straight = range(18).map((cursor) => trainIndex(cursor, 3, 6));
  assertEquals(
    [6, 12, 17, 0].map((cursor) => trainIndex(cursor, 3, 6)),
    [6, 12, 17, 0].map((c) => straight[c]),
  );
});

Deno.test("generated tasks are fresh at every position, and no two seeds share one", () => {
  const seeds = [0, 1, 2].map((seed) => [0, 1, 999_999].map((cursor) => trainIndex(cursor, seed, Infinity)));
  assertEquals(new Set(seeds.flat()).size, 9);
});

Deno.test("an empty split is refused", () => {
  assertThrows(() => trainIndex(0, 1, 0), RangeError, "empty split");
});
