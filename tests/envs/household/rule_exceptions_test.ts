import { assert, assertEquals } from "@std/assert";
import type { Household } from "../../../envs/household/household.ts";
import { generateGame } from "../../../envs/household/generate/generate_game.ts";
import type { Layout } from "../../../envs/household/generate/layout.ts";
import type { Goal } from "../../../envs/household/goal.ts";
import { start, taskAt } from "./_walk.ts";

/** The first level-1 game that fits. */
function find(fits: (goal: Goal, layout: Layout) => boolean): { env: Household; layout: Layout; goal: Goal } {
  for (let index = 0; index < 3000; index++) {
    const { goal, layout } = generateGame({ split: "train", index, level: 1 });
    if (fits(goal, layout)) return { env: start(taskAt(1, index)).env, layout, goal };
  }
  throw new Error("no such game");
}

/** Plays the oracle until a target is held, and returns it. */
function take(env: Household): string {
  const plan = env.oracle();
  const at = plan.findIndex((command) => command.startsWith("take "));
  plan.slice(0, at + 1).forEach((command) => env.step(command));
  return /^take (.+) from/.exec(plan[at])![1];
}

for (
  const [change, kind, appliance, standIn] of [
    ["heat", "pick_heat_then_place_in_recep", "microwave 1", "stoveburner 1"],
    ["clean", "pick_clean_then_place_in_recep", "sinkbasin 1", "bathtubbasin 1"],
  ] as const
) {
  Deno.test(`a broken appliance says what works instead: ${change}`, () => {
    const { env } = find((goal, { receptacles }) => goal.kind === kind && receptacles.some((r) => r.broken));
    const target = take(env);
    const command = `${change} ${target} with ${appliance}`;
    assert(env.step(`go to ${appliance}`).admissible!.includes(command));
    const before = env.fingerprint();
    assertEquals(env.step(command).observation, `The ${appliance} is broken. The ${standIn} works.`);
    assertEquals(env.fingerprint(), before);
    const adjective = change === "heat" ? "hot" : "clean";
    assertEquals(env.feedback(), `Failure: not ${adjective}.`);
    env.step(`go to ${standIn}`);
    assertEquals(
      env.step(`${change} ${target} with ${standIn}`).observation,
      `You ${change} the ${target} using the ${standIn}.`,
    );
    assert(!env.feedback().includes(adjective));
  });

  Deno.test(`the stand-in does nothing while the appliance works: ${change}`, () => {
    const { env } = find((goal, { receptacles }) => goal.kind === kind && !receptacles.some((r) => r.broken));
    const target = take(env);
    env.step(`go to ${standIn}`);
    assertEquals(env.step(`${change} ${target} with ${standIn}`).observation, "Nothing happens.");
    env.step(`go to ${appliance}`);
    assertEquals(
      env.step(`${change} ${target} with ${appliance}`).observation,
      `You ${change} the ${target} using the ${appliance}.`,
    );
  });
}

Deno.test("a locked receptacle says so, stays shut and empty, and has an unlocked twin", () => {
  const { env, layout } = find((_, { receptacles }) => receptacles.some((r) => r.locked));
  const index = layout.receptacles.findIndex((r) => r.locked);
  const { type, number } = layout.receptacles[index];
  assert(layout.receptacles.some((r) => r.type === type && !r.locked));
  assert(layout.objects.every((o) => o.receptacle !== index));
  env.step(`go to ${type} ${number}`);
  const before = env.fingerprint();
  assertEquals(env.step(`open ${type} ${number}`).observation, `The ${type} ${number} is locked.`);
  assertEquals(env.fingerprint(), before);
  assertEquals(env.step(`examine ${type} ${number}`).observation, `The ${type} ${number} is closed.`);
});
