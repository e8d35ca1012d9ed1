import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { packRows } from "../../../stages/engine/pack_rows.ts";
import { planMicrobatches } from "../../../stages/engine/plan_microbatches.ts";

Deno.test("every row is in one micro-batch, longest first, within the budget", () => {
  fc.assert(fc.property(fc.array(fc.nat(20)), fc.integer({ min: 1, max: 60 }), (lengths, budget) => {
    const batches = planMicrobatches(lengths, budget);
    const rows = batches.flatMap((batch) => batch.rows);
    assertEquals(rows.toSorted((a, b) => a - b), [...lengths.keys()].filter((r) => lengths[r] > 0));
    assertEquals(rows.map((r) => lengths[r]), rows.map((r) => lengths[r]).toSorted((a, b) => b - a));
    for (const { rows, time } of batches) {
      assertEquals(time, lengths[rows[0]]);
      assert(rows.length === 1 || rows.length * time <= budget);
    }
  }));
});

Deno.test("two rows are packed, padded and pointed into", () => {
  const rows = [
    { ids: [5, 6], wanted: [1], weights: [9, 0.5] },
    { ids: [1, 2, 3, 4], wanted: [1, 3], weights: [9, 0.25, 9, -1], entropyWeights: [9, 2, 9, 3] },
  ];
  assertEquals(packRows(rows, { rows: [1, 0], time: 3 }, 2), {
    ids: Int32Array.of(1, 2, 3, 5, 0, 0),
    index: Int32Array.of(0, 2, 3, 0),
    inverse: Int32Array.of(0, 4, 1, 2, 4, 4),
    target: Int32Array.of(2, 4, 6, 0),
    weight: Float32Array.of(0.25, -1, 0.5, 0),
    entropyWeight: Float32Array.of(2, 3, 0, 0),
  });
});
