import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { planRuns } from "../../../stages/engine/plan_runs.ts";
import { planTrees } from "../../../stages/engine/plan_trees.ts";

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);
const after = (prompt: readonly number[], reply: readonly number[]) => ({
  ids: [...prompt, ...reply],
  wanted: range(prompt.length, prompt.length + reply.length),
});

Deno.test("a group's prompt stands once, but for its last id, which predicts", () => {
  const prompt = range(0, 20);
  const rows = [after(prompt, [30, 31]), after(range(50, 80), [1]), after(prompt, [30, 32, 33])];
  const { trees, single } = planTrees(rows, [0, 1, 2], 100);
  assertEquals(single, [1]);
  // The longer one first: 22 of its ids are fed; of the other one, the prompt's last id and the one after it.
  assertEquals(trees, [{
    rows: [2, 0],
    slots: [Int32Array.from(range(0, 22)), Int32Array.from([...range(0, 19), 22, 23])],
    time: 24,
  }]);
});

Deno.test("a retry branches off its base, not off the prompt", () => {
  const base = after(range(0, 20), range(100, 120));
  const retry = after(base.ids.slice(0, 32), [7, 8]);
  const { trees: [{ time }] } = planTrees([retry, base], [0, 1], 100);
  assertEquals(time, 39 + 2);
});

Deno.test("a tree that would grow too long is another one", () => {
  const rows = Array.from({ length: 6 }, (_, i) => after(range(0, 20), range(100 * i, 100 * i + 10)));
  const { trees, single } = planTrees(rows, range(0, 6), 60);
  assertEquals([trees.map(({ time }) => time), single], [[59, 39], []]);
});

Deno.test("every row finds its own tokens, in order, and nobody else's where something is wanted", () => {
  const row = fc.record({
    stem: fc.nat(2),
    shared: fc.integer({ min: 1, max: 40 }),
    tail: fc.array(fc.nat(3), { minLength: 1, maxLength: 12 }),
    wanted: fc.nat(60),
  }).map(({ stem, shared, tail, wanted }) => {
    const ids = [...range(0, shared).map((t) => 10 * stem + t % 7), ...tail];
    const first = 1 + wanted % Math.max(1, ids.length - 1);
    return { ids, wanted: ids.length < 2 ? [] : range(first, ids.length) };
  }).filter(({ wanted }) => wanted.length > 0);
  fc.assert(
    fc.property(
      fc.array(row, { minLength: 1, maxLength: 10 }),
      fc.integer({ min: 60, max: 120 }),
      (rows, budget) => {
        const lengths = rows.map(({ ids }) => ids.length - 1);
        const batches = planRuns(rows, lengths, { tokenBudget: budget, sharesPrefixes: true });
        assertEquals(batches.flatMap((batch) => batch.rows).toSorted((a, b) => a - b), range(0, rows.length));
        for (const { rows: members, slots, time } of batches) {
          if (slots === undefined) continue;
          const ids = new Map<number, number>();
          const owners = new Map<number, number>();
          members.forEach((r, b) => {
            assertEquals(slots[b].length, lengths[r]);
            slots[b].forEach((slot, t) => {
              assert(slot >= 0 && slot < time && (t === 0 || slot > slots[b][t - 1]));
              assertEquals(ids.get(slot) ?? rows[r].ids[t], rows[r].ids[t]);
              ids.set(slot, rows[r].ids[t]);
            });
            for (const t of rows[r].wanted) {
              assert(!owners.has(slots[b][t - 1]), "two rows are asked at one place");
              owners.set(slots[b][t - 1], r);
            }
          });
          assertEquals(ids.size, time);
          assert(time <= Math.min(budget, 2 * Math.max(...lengths)));
        }
      },
    ),
  );
});
