import { assert, assertEquals } from "@std/assert";
import { explore } from "../../../envs/household/explore.ts";
import { Household } from "../../../envs/household/household.ts";
import { fileTask } from "../../../envs/household/tasks.ts";
import { potatoPath } from "../text_game/_games.ts";
import { walk } from "./_walk.ts";

const task = fileTask(potatoPath);

Deno.test("an official game plays: oracle, verdict and explorer", async () => {
  assertEquals(task.kind, "pick_heat_then_place_in_recep");
  const env = new Household();
  env.reset(task);
  assertEquals(env.feedback(), "Failure: not found.");
  const plan = env.oracle();
  assert(plan.map((command) => env.step(command)).at(-1)!.won, String(plan));
  const steps = await explore(env, env.reset(task));
  assert(steps.at(-1)!.turn.won);
});

Deno.test("the oracle wins an official game from wherever a walk leads, and snapshots restore", () => {
  for (let i = 0; i < 4; i++) {
    const env = new Household();
    walk(env, env.reset(fileTask(potatoPath, 500)), `official ${i}`, 12, (_, turn) => {
      const saved = JSON.parse(JSON.stringify(env.snapshot()));
      const plan = env.oracle();
      assert(plan.map((command) => env.step(command)).at(-1)!.won, String(plan));
      assertEquals(env.restore(saved), turn);
    });
  }
});
