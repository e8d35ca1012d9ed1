import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import metricsFixture from "../../../fixtures/stages/metrics.json" with { type: "json" };
import scoreFixture from "../../../fixtures/stages/score.json" with { type: "json" };
import { amplifyGroup } from "../../../stages/amplify/amplify_group.ts";
import { maskGroup } from "../../../stages/mask/mask_group.ts";
import { groupMetrics } from "../../../stages/metrics/group_metrics.ts";
import { metricNames as names } from "../../../stages/metrics/metric_names.ts";
import type { Amplified, Stitched } from "../../../stages/record.ts";
import { scoreGroup, type ScoreOptions } from "../../../stages/score/score_group.ts";
import { assertJson } from "../_fixture.ts";
import { diagnosed, report, retry, stitched } from "../_make_group.ts";

const turns = [["go", 2], ["take", 3], ["put", 2], ["end", 1]] as const;

function amplified(group: Stitched, options: ScoreOptions = {}): Amplified {
  return amplifyGroup(maskGroup(scoreGroup(group, options)));
}

Deno.test("metrics of the fixture's group", () => {
  const group = scoreFixture.input as unknown as Stitched;
  assertJson(groupMetrics([amplified(group)]), metricsFixture.metrics);
});

Deno.test("metric names are distinct", () => {
  assertEquals(new Set(Object.values(names)).size, Object.keys(names).length);
});

/** Retries of one base: reward before, rewards after, pivot. */
function retried(index: number, before: number, after: readonly (number | null)[], pivot: number): Stitched {
  const base = diagnosed({ index, turns, reward: before }, { report: report(pivot) });
  return stitched([base], after.map((r, k) => retry(base, pivot, [["open", 1]], r, k)));
}

Deno.test("improvement rate and reward gain pool the retries, they do not average over tasks", () => {
  const one = amplified(retried(0, 0.5, [1], 1), { reward: "return" });
  const three = amplified(retried(0, 0.5, [0.5, 0.25, 0, null], 3), { reward: "return" });
  const m = groupMetrics([one, three]);
  assertEquals(m[names.retryImprovementRate], 1 / 4);
  assertAlmostEquals(m[names.retryReward], 1.75 / 4, 1e-12);
  assertAlmostEquals(m[names.retryRewardDiff], -0.25 / 4, 1e-12);
  // R = 0.5, 0.5; R' = 1 and the mean of 0.5, 0.25, 0.
  assertAlmostEquals(m[names.retryRewardGain], (0.625 - 0.5) / 0.5, 1e-12);
  assertEquals(m[names.retrySuccess], 1 / 4);
  assertEquals(m[names.retryPerBase], 5 / 2);
  assertEquals(m[names.retryPivotMean], 13 / 5);
  assertAlmostEquals(m[names.retryPivotStd], 0.8, 1e-12);
  assertAlmostEquals(m[names.retryPivotFraction], (0.25 + 4 * 0.75) / 5, 1e-12);
  assertEquals(m[names.failedAttempts], 1);
});

Deno.test("a retry of a retry is compared with that one, and its reflection counts", () => {
  const base = diagnosed({ turns, reward: 0.5 }, { report: report(1) });
  const { diagnosis } = diagnosed({ turns }, { report: report(2) });
  const first = { ...retry(base, 1, [["open", 1], ["look", 1]], 0), diagnosis };
  const second = { ...retry(base, 2, [["put", 1]], 0.25, 1), parent: 0 };
  const group = amplified(stitched([base], [first, second]), { reward: "return" });
  const m = groupMetrics([group]);
  // Whose row comes first does not matter.
  assertEquals(groupMetrics([{ ...group, members: group.members.toReversed() }]), m);
  assertEquals(m[names.retryImprovementRate], 1 / 2);
  assertEquals(m[names.retryRewardDiff], (-0.5 + 0.25) / 2);
  assertAlmostEquals(m[names.retryPivotFraction], (1 / 4 + 2 / 3) / 2, 1e-12);
  assertEquals([m[names.diagnoseValidRate], m[names.claimedFailureRealFailure]], [1, 1]);
});

Deno.test("what reports claim against what happened, among valid reports", () => {
  const attempts = [
    diagnosed({ index: 0, turns, reward: 0 }, { report: report(null) }),
    diagnosed({ index: 1, turns, reward: 0 }, { report: report(1) }),
    diagnosed({ index: 2, turns, reward: 1 }, { report: report(1) }),
    diagnosed({ index: 3, turns, reward: 1 }, {
      report: { ...report(1), trajectory_outcome: "success_but_inefficient" },
    }),
    diagnosed({ index: 4, turns, reward: 1 }, { report: null, invalid: "no_json" }),
    diagnosed({ index: 5, turns, reward: 1 }, { report: null, invalid: "not_asked" }),
  ];
  const m = groupMetrics([amplified(stitched(attempts))]);
  assertEquals(m[names.diagnoseValidRate], 4 / 5);
  assertEquals(m[names.claimedSuccessRealFailure], 1 / 4);
  assertEquals(m[names.claimedFailureRealFailure], 1 / 4);
  assertEquals(m[names.claimedFailureRealSuccess], 1 / 4);
  assertEquals(m[names.claimedSuccessRealSuccess], 1 / 4);
});

Deno.test("flat groups, empty masks, cut replies and divergence are shares", () => {
  const flat = amplified(
    stitched([diagnosed({ turns, reward: 1 }), diagnosed({ index: 1, turns, reward: 1 })]),
  );
  const base = diagnosed({ turns, reward: 0 }, { report: report(1) });
  const cut = { ...base, turns: base.turns.map((t) => ({ ...t, stopReason: "length" as const })) };
  const after = retry(base, 1, [["open", 1]], 1);
  const turnsAfter = [cut.turns[0], ...after.distilled.turns.slice(1)];
  const again = { ...after, diverged: true, distilled: { ...after.distilled, turns: turnsAfter } };
  const mixed = amplified(stitched([cut], [again]));
  const empty = {
    ...mixed,
    trainMasks: mixed.trainMasks.map((m, i) => i === 0 ? m.map(() => 0 as const) : m),
  };
  const m = groupMetrics([flat, empty]);
  assertEquals(m[names.groupsFlat], 1 / 2);
  assertEquals(m[names.maskEmptyRate], 1 / 4);
  assertEquals(m[names.stitchDivergenceRate], 1);
  // Of four attempts the base was cut, and its retry does not inherit that.
  assertEquals(m[names.responseClipRatio], 1 / 4);
});

Deno.test("members without a reward are in no mean; means over nothing are left out", () => {
  const m = groupMetrics([
    amplified(stitched([diagnosed({ turns, reward: null }), diagnosed({ index: 1, turns, reward: 1 })])),
  ]);
  assertEquals(m[names.scoreMean], 1);
  assertEquals(m[names.success], 1);
  assertEquals(m[names.failedAttempts], 1);
  for (const name of [names.retryImprovementRate, names.claimedFailureRealFailure, names.retryPivotMean]) {
    assert(!(name in m), name);
  }
  assert(Object.values(groupMetrics([])).every(Number.isFinite));
});
