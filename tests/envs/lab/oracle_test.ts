import { assert, assertEquals } from "@std/assert";
import { explore } from "../../../envs/lab/agent/explore.ts";
import { taskKinds } from "../../../envs/lab/goal.ts";
import { labMaxTurns } from "../../../envs/lab/lab_tasks.ts";
import { Rng } from "../../../stages/seed.ts";
import { start, taskAt, walk } from "./_walk.ts";

Deno.test("the oracle wins every lab from its start, and harder levels take longer", () => {
  const means: number[] = [];
  for (const level of [0, 1, 2, 3]) {
    const count = 90;
    let total = 0;
    const kinds = new Set<string>();
    for (let index = 0; index < count; index++) {
      const task = taskAt(level, index, { maxTurns: labMaxTurns[level] });
      const { env, first } = start(task);
      assert(!first.won);
      const plan = env.oracle();
      assert(plan.length >= 2 && plan.length <= 25, `${task.id}: ${plan}`);
      assert(plan.map((command) => env.step(command)).at(-1)!.won, `${task.id}: ${plan}`);
      total += plan.length;
      kinds.add(task.kind);
    }
    assertEquals(kinds.size, taskKinds.length);
    means.push(total / count);
  }
  assert(means.every((mean, i) => i === 0 || mean > means[i - 1]), String(means));
});

Deno.test("the oracle wins from wherever a random walk has led that is not lost", () => {
  for (let index = 0; index < 80; index++) {
    const task = taskAt(index % 4, 500 + index, { menu: index % 3 === 0 });
    const { env, first } = start(task);
    walk(env, first, `stray ${index}`, 10, (action, turn) => {
      if (turn.done) return;
      const saved = env.snapshot();
      const plan = env.oracle();
      assert(plan.length > 0 && plan.length <= 45, `${task.id} after ${action}: ${plan}`);
      assert(plan.map((command) => env.step(command)).at(-1)!.won, `${task.id}: ${plan}`);
      env.restore(saved);
    });
  }
});

Deno.test("an explorer that reads only the texts wins nearly every lab", async () => {
  for (const [level, count] of [[0, 60], [1, 120], [2, 60], [3, 40]]) {
    let won = 0;
    for (let index = 0; index < count; index++) {
      const { env, first } = start(taskAt(level, 1000 + index, { maxTurns: labMaxTurns[level] }));
      if ((await explore(env, first)).at(-1)?.turn.won) won++;
    }
    assert(won / count >= 0.95, `level ${level}: ${won} of ${count}`);
  }
});

Deno.test("random commands hardly ever win", () => {
  let won = 0;
  const count = 150;
  for (let index = 0; index < count; index++) {
    const { env, first } = start(taskAt(1, index, { maxTurns: labMaxTurns[1] }));
    const rng = new Rng(`random/${index}`);
    let turn = first;
    while (!turn.done) turn = env.step(rng.pick(turn.admissible!));
    if (turn.won) won++;
  }
  assert(won / count < 0.05, `${won} of ${count}`);
});
