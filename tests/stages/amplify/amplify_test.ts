import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { amplify } from "../../../stages/amplify/amplify.ts";
import { amplifyGroup } from "../../../stages/amplify/amplify_group.ts";
import type { AmplifyOptions } from "../../../stages/amplify/amplify_options.ts";
import { amplifyRewards } from "../../../stages/amplify/amplify_rewards.ts";
import { type EstimatorName, estimators } from "../../../stages/amplify/estimators.ts";
import { ConfigError } from "../../../stages/errors.ts";
import type { Masked } from "../../../stages/record.ts";
import { rowsGroup } from "../_make_group.ts";

/** A group that is known only by its rewards. */
function group(rewards: readonly (number | null)[]): Masked {
  const { advantages: _a, flat: _f, ...masked } = rowsGroup({
    mask: rewards.map(() => [0, 1]),
    advantages: rewards.map(() => 0),
    rewards,
  });
  return masked;
}

const finite = fc.integer({ min: -500, max: 500 }).map((n) => n / 100);
const rewardLists = fc.oneof(
  fc.array(finite, { minLength: 1, maxLength: 8 }),
  fc.array(fc.constantFrom(0, 1), { minLength: 1, maxLength: 8 }),
  fc.array(fc.constantFrom(0, 0.25, 0.75, 1), { minLength: 1, maxLength: 8 }),
);
const relative: EstimatorName[] = ["grpo", "dr_grpo", "rloo", "opmd"];

Deno.test("amplification leaves non-positive advantages as they are", () => {
  fc.assert(
    fc.property(
      rewardLists,
      fc.constantFrom(...relative),
      fc.constantFrom("paper", "scaled"),
      (rewards, estimator, amplification) => {
        const before = amplifyRewards(rewards, { estimator, amplification: "none" });
        const after = amplifyRewards(rewards, { estimator, amplification } as AmplifyOptions);
        before.forEach((a, i) => {
          if (a <= 0) assertEquals(after[i], a);
          else assert(after[i] > 0);
        });
      },
    ),
  );
});

Deno.test("scaled amplification keeps the order of rewards; with alpha 1 it is the identity", () => {
  fc.assert(fc.property(rewardLists, fc.constantFrom(...relative), (rewards, estimator) => {
    const after = amplifyRewards(rewards, { estimator, amplification: "scaled" });
    rewards.forEach((r, i) => rewards.forEach((s, j) => assert(r <= s ? after[i] <= after[j] : true)));
    const identity = amplifyRewards(rewards, { estimator, amplification: "scaled", alpha: 1 });
    assertEquals(identity, amplifyRewards(rewards, { estimator, amplification: "none" }));
  }));
});

Deno.test("paper amplification gives alpha to every best member of a group with spread", () => {
  fc.assert(fc.property(rewardLists, fc.double({ min: 0.5, max: 7, noNaN: true }), (rewards, alpha) => {
    const best = Math.max(...rewards);
    fc.pre(rewards.some((r) => r !== best));
    const after = amplifyRewards(rewards, { amplification: "paper", alpha });
    rewards.forEach((r, i) => assertEquals(after[i] === alpha && r === best, r === best));
  }));
});

Deno.test("the paper's rule is the default, with alpha 3 and the standard deviation of the sample", () => {
  assertEquals(amplifyRewards([1, 0, 0, 0])[0], 3);
  assertAlmostEquals(amplifyRewards([1, 0, 0, 0])[1], -0.499999, 1e-6);
});

Deno.test("flat groups get exactly 0, whatever the rounding of their mean", () => {
  fc.assert(
    fc.property(
      finite,
      fc.integer({ min: 1, max: 9 }),
      fc.constantFrom(...relative),
      fc.constantFrom("none", "paper", "scaled"),
      (reward, n, estimator, amplification) => {
        const options = { estimator, amplification, eps: 0 } as AmplifyOptions;
        const result = amplifyGroup(group(new Array(n).fill(reward)), options);
        assertEquals(result.advantages, new Array(n).fill(0));
        assert(result.flat);
      },
    ),
  );
  for (const name of relative) {
    assertEquals(estimators[name].estimate(new Array(7).fill(0.1), { eps: 0 }), new Array(7).fill(0));
  }
  // Their float64 mean is 0.09999999999999999 and their deviation 1.5e-17: without the guard, 0.926.
  assertEquals(
    amplifyRewards(new Array(7).fill(0.1), { eps: 0, amplification: "none" }),
    new Array(7).fill(0),
  );
});

Deno.test("estimators that learn from flat groups are not silenced, nor amplified there", () => {
  assert(amplifyRewards([0, 0, 0], { estimator: "ngrpo" }).every((a) => a < 0));
  assertEquals(amplifyRewards([1, 1, 1], { estimator: "ngrpo" }), [0, 0, 0]);
  amplifyRewards([1, 1], { estimator: "asymre" }).forEach((a) => assertAlmostEquals(a, 0.1, 1e-12));
  assertEquals(amplifyRewards([1, 1], { estimator: "raft" }), [1, 1]);
});

Deno.test("the released rule trains on all-success groups and is not monotone", () => {
  assertEquals(amplifyRewards([1, 1], { amplification: "released" }), [1, 1]);
  assertEquals(amplifyRewards([1, 1], { amplification: "released", flatGroups: "zero" }), [0, 0]);
  const [, , nearly, full] = amplifyRewards([-0.1, -0.1, 0.75, 1, 0], { amplification: "released" });
  assert(nearly > full);
});

Deno.test("advantages follow their members through any permutation", () => {
  fc.assert(
    fc.property(
      rewardLists,
      fc.constantFrom("none", "paper", "scaled", "released"),
      fc.nat(),
      (rewards, amplification, seed) => {
        const order = rewards.map((_, i) => i).sort((a, b) => ((a * 7 + seed) % 5) - ((b * 7 + seed) % 5));
        const options = { amplification } as AmplifyOptions;
        const straight = amplifyRewards(rewards, options);
        const permuted = amplifyRewards(order.map((i) => rewards[i]), options);
        order.forEach((i, k) => assertAlmostEquals(permuted[k], straight[i], 1e-6));
      },
    ),
  );
});

Deno.test("conventions of normalisation are options: [1,0,0,0]", () => {
  const first = (options: AmplifyOptions) =>
    amplifyRewards([1, 0, 0, 0], { amplification: "none", ...options });
  assertAlmostEquals(first({})[0], 1.499997, 1e-6);
  assertAlmostEquals(first({ eps: 1e-4 })[0], 1.4997, 1e-6);
  assertAlmostEquals(first({ ddof: 0 })[0], 1.73205, 1e-5);
  assertAlmostEquals(first({ estimator: "rloo" })[0], 1, 1e-12);
  assertAlmostEquals(first({ estimator: "rloo" })[1], -1 / 3, 1e-12);
  assertAlmostEquals(first({ estimator: "dr_grpo" })[0], 0.75, 1e-12);
});

Deno.test("scale: none and false leave out the division, anything unknown is refused with every fault", () => {
  assertEquals(amplifyRewards([1, 0, 0, 0], { scale: "none", amplification: "none" })[0], 0.75);
  assertEquals(amplifyRewards([1, 0, 0, 0], { scale: false, amplification: "none" })[0], 0.75);
  const wrong = { scale: "nope", estimator: "gpro", alpha: -1 } as unknown as AmplifyOptions;
  const error = assertThrows(() => amplify(wrong), ConfigError, "nope");
  assertEquals(error.faults.map((f) => f.path), ["estimator", "scale", "alpha"]);
});

Deno.test("null rewards are in no statistic and get advantage 0", () => {
  const some = amplifyGroup(group([null, 1, 0, null, 0]), { amplification: "none" });
  const without = amplifyRewards([1, 0, 0], { amplification: "none" });
  assertEquals(some.advantages, [0, without[0], without[1], 0, without[2]]);
  assertEquals(some.flat, false);
  const nothing = amplifyGroup(group([null, null]));
  assertEquals(nothing.advantages, [0, 0]);
  assert(nothing.flat);
  assert(amplifyGroup(group([null, 1])).flat);
});
