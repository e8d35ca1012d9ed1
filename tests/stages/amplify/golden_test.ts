import { assertAlmostEquals, assertEquals } from "@std/assert";
import type { AmplifyOptions } from "../../../stages/amplify/amplify_options.ts";
import { amplifyRewards } from "../../../stages/amplify/amplify_rewards.ts";
import { broadcastSteps } from "../../../stages/amplify/broadcast_steps.ts";
import type { EstimatorOptions } from "../../../stages/amplify/estimator.ts";
import { type EstimatorName, estimators } from "../../../stages/amplify/estimators.ts";
import { gigpo } from "../../../stages/amplify/gigpo.ts";
import { reinforcePlusPlus } from "../../../stages/amplify/reinforce_plus_plus.ts";
import { assertNumbers, cases } from "../_cases.ts";

const estimates: [key: string, name: EstimatorName, options: EstimatorOptions][] = [
  ["grpo (ddof=1, eps=1e-6)", "grpo", {}],
  ["grpo ddof=0", "grpo", { ddof: 0 }],
  ["dr_grpo / mean-centred", "dr_grpo", {}],
  ["opmd mean", "opmd", {}],
  ["opmd logavgexp tau=1", "opmd", { baseline: "logavgexp" }],
  ["opmd logavgexp tau=0.5", "opmd", { baseline: "logavgexp", tau: 0.5 }],
  ["rloo", "rloo", {}],
  ["ngrpo (r_max=1, one virtual, ddof=1)", "ngrpo", {}],
  ["asymre shift -0.1", "asymre", {}],
];
for (const [key, name, options] of estimates) {
  Deno.test(`estimator ${key} agrees with the golden numbers`, () => {
    for (const { in: rewards, out, case: label } of cases[key]) {
      assertNumbers(estimators[name].estimate(rewards, options), out, `${key} ${label}`);
    }
  });
}

const rules: [key: string, options: AmplifyOptions][] = [
  ["r3l repo: opmd_reweight_adv (alpha 3)", { amplification: "released" }],
  ["r3l repo: grpo_reweight_adv (alpha 3)", { amplification: "released", estimator: "grpo" }],
  ["r3l paper main text (std-normalised ddof=1 eps=1e-6, R==Rmax -> alpha)", {
    amplification: "paper",
    flatGroups: "raw",
  }],
  ["r3l paper main text, ddof=0 eps=0 on groups with spread", { amplification: "paper", ddof: 0, eps: 0 }],
  ["r3l guarded (alpha*A for A>0, zero for flat groups, std ddof=1)", { amplification: "scaled" }],
];
for (const [key, options] of rules) {
  Deno.test(`amplification ${key} agrees with the golden numbers`, () => {
    for (const { in: rewards, out, case: label } of cases[key]) {
      assertNumbers(amplifyRewards(rewards, options), out, `${key} ${label}`);
    }
  });
}

Deno.test("grpo with a standard deviation of the batch agrees with the golden numbers", () => {
  for (
    const { in: groups, shared_std: std, out } of cases["grpo batch std (3 groups, std over all 5 rewards)"]
  ) {
    groups.forEach((rewards: number[], i: number) =>
      assertNumbers(estimators.grpo.estimate(rewards, { std }), out[i], `group ${i}`)
    );
  }
});

Deno.test("reinforce++ agrees with the golden numbers", () => {
  for (const c of cases["reinforce++ (token rewards, mask, whiten eps 1e-8, unbiased)"]) {
    reinforcePlusPlus(c).forEach((row, i) => assertNumbers(row, c.out[i], `row ${i}`));
  }
});

Deno.test("gigpo agrees with the golden numbers", () => {
  const all = cases["gigpo (gamma .95, w 1)"];
  for (const c of all) {
    const actual = gigpo(all[0].in, {
      norm: c.norm === "mean_std" ? "mean_std" : "mean",
      statistics: c.norm.includes("over steps") ? "steps" : "episodes",
    });
    actual.forEach((row, i) => assertNumbers(row, c.joint[i], `${c.norm}, episode ${i}`));
  }
});

Deno.test("step-wise broadcast agrees with the golden numbers", () => {
  const key = Object.keys(cases).find((k) => k.startsWith("step-wise broadcast"))!;
  for (const c of cases[key]) {
    const runs = Object.values(c.runs) as number[][];
    const scores = amplifyRewards(runs.map((r) => r[r.length - 1]), { amplification: "released" });
    assertNumbers(scores, Object.values(c.scores), "scores");
    const steps = runs.map((r) => r.length);
    broadcastSteps(scores, steps).forEach((row, i) => assertNumbers(row, c.per_step_off[i], `off ${i}`));
    broadcastSteps(scores, steps, true).forEach((row, i) => assertNumbers(row, c.per_step_on[i], `on ${i}`));
  }
});

Deno.test("dynamic sampling keeps the groups of the golden rule", () => {
  for (const { in: rewards, keep } of cases["dapo dynamic sampling keep rule (std>0)"]) {
    const advantages = amplifyRewards(rewards, { amplification: "none" });
    assertEquals(advantages.some((a) => a !== 0), keep, `${rewards}`);
  }
});

Deno.test("critique-grpo: the released singleton group and one union group", () => {
  for (const c of cases["critique-grpo grouping (released): 7 initial kept + 1 refined"]) {
    assertNumbers(estimators.grpo.estimate(c.initial), c.A_initial, "initial");
    assertAlmostEquals(estimators.grpo.estimate([c.refined])[0], c.A_refined, 1e-7);
    assertNumbers(estimators.grpo.estimate([...c.initial, c.refined]), c["A if one union group"], "union");
  }
});
