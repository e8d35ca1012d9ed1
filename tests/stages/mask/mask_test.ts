import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { maskGroup } from "../../../stages/mask/mask_group.ts";
import { maskSegments } from "../../../stages/mask/mask_segments.ts";
import { scoreGroup } from "../../../stages/score/score_group.ts";
import { cases } from "../_cases.ts";
import { diagnosed, report, retry, stitched } from "../_make_group.ts";

Deno.test("segment masks agree with the golden numbers", () => {
  for (const { mask, k, out } of cases["pivot mask (assistant segments)"]) {
    assertEquals(maskSegments(mask, k), out, `k = ${k}`);
  }
});

const shape = fc.record({
  lengths: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 5 }),
  suffix: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 4 }),
  pivot: fc.nat(4),
});

/** A base with a retry from its pivot, and a base without one, scored. */
function scored({ lengths, suffix, pivot }: { lengths: number[]; suffix: number[]; pivot: number }) {
  const k = pivot % lengths.length;
  const base = diagnosed({ turns: lengths.map((n) => ["go", n]), reward: 0 }, { report: report(k) });
  const alone = diagnosed({ index: 1, turns: lengths.map((n) => ["go", n]), reward: 1 });
  const again = retry(base, k, suffix.map((n) => ["open", n]), 1);
  return { group: scoreGroup(stitched([base, alone], [again])), base, again, k };
}

Deno.test("nothing before the pivot trains in the base and its retry, everything sampled after it does", () => {
  fc.assert(fc.property(shape, (spec) => {
    const { group, base, again, k } = scored(spec);
    const [cutBase, whole, cutRetry] = maskGroup(group).trainMasks;
    const expected = (turns: typeof base.turns, length: number): readonly number[] =>
      Array.from({ length }, (_, t) => Number(turns.some((x, j) => j >= k && t >= x.start && t < x.end)));
    assertEquals<readonly number[]>(cutBase, expected(base.turns, base.ids.length));
    assertEquals<readonly number[]>(cutRetry, expected(again.distilled.turns, again.distilled.ids.length));
    assertEquals(whole, group.members[1].mask);
  }));
});

Deno.test("where the prefix is really shared, cutting by prefix and by assistant turns is the same", () => {
  fc.assert(fc.property(shape, (spec) => {
    const { group } = scored(spec);
    assertEquals(
      maskGroup(group, { credit: "segments" }).trainMasks.map((m) => [...m]),
      maskGroup(group).trainMasks.map((m) => [...m]),
    );
  }));
});

Deno.test("credit none trains every sampled token and no other", () => {
  fc.assert(fc.property(shape, (spec) => {
    const { group } = scored(spec);
    assertEquals(maskGroup(group, { credit: "none" }).trainMasks, group.members.map((m) => m.mask));
  }));
});

Deno.test("with several retries the base is cut at the earliest, each retry at its own pivot", () => {
  const base = diagnosed({ turns: [["a", 1], ["b", 1], ["c", 1]], reward: 0 }, { report: report(1) });
  const retries = [retry(base, 2, [["d", 1]], 1), retry(base, 1, [["e", 1], ["f", 1]], 0, 1)];
  const { trainMasks } = maskGroup(scoreGroup(stitched([base], retries)));
  const turnsTrained = trainMasks.map((m) => m.filter((x) => x === 1).length);
  assertEquals(turnsTrained, [2, 1, 2]);
});

Deno.test("a member without a reward trains nothing, whatever the credit", () => {
  const group = scoreGroup(stitched([diagnosed({ turns: [["a", 2]], reward: null })]));
  for (const credit of ["pivot", "segments", "none"] as const) {
    assert(maskGroup(group, { credit }).trainMasks[0].every((m) => m === 0));
  }
});

Deno.test("a one-token reply (an immediate stop) keeps its token", () => {
  const group = scoreGroup(stitched([diagnosed({ turns: [["", 1]], reward: 0 })]));
  assertEquals(maskGroup(group).trainMasks[0].filter((m) => m === 1).length, 1);
});
