import { assert, assertEquals } from "@std/assert";
import { taskKinds } from "../../../envs/household/goal.ts";
import { start, taskAt, walk } from "./_walk.ts";

Deno.test("the oracle wins every game from its start, and harder levels take longer", () => {
  const means: number[] = [];
  for (const level of [0, 1, 2, 3]) {
    const count = level === 3 ? 40 : 150;
    let total = 0;
    const kinds = new Set<string>();
    for (let index = 0; index < count; index++) {
      const task = taskAt(level, index);
      const { env, first } = start(task);
      assert(!first.won);
      const plan = env.oracle();
      assert(plan.length >= 2 && plan.length <= 14, `${task.id}: ${plan}`);
      const last = plan.map((command) => env.step(command)).at(-1)!;
      assert(last.won, `${task.id}: ${plan}`);
      total += plan.length;
      kinds.add(task.kind);
    }
    assertEquals(kinds.size, taskKinds.length);
    means.push(total / count);
  }
  assert(means.every((mean, i) => i === 0 || mean > means[i - 1]), String(means));
});

Deno.test("the oracle wins from wherever a random walk has led", () => {
  for (let index = 0; index < 60; index++) {
    const task = taskAt(index % 3, 500 + index);
    const { env, first } = start(task);
    walk(env, first, `lost ${index}`, 10, (_, turn) => {
      if (turn.won) return;
      const saved = env.snapshot();
      const plan = env.oracle();
      assert(plan.length > 0 && plan.length <= 24, `${task.id}: ${plan}`);
      assert(plan.map((command) => env.step(command)).at(-1)!.won, `${task.id}: ${plan}`);
      env.restore(saved);
    });
  }
});
