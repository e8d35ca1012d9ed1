import { assert } from "@std/assert";
import { explore } from "../../../envs/household/explore.ts";
import { defaultMaxTurns } from "../../../envs/household/tasks.ts";
import { Rng } from "../../../stages/seed.ts";
import { start, taskAt } from "./_walk.ts";

Deno.test("an explorer that reads only the texts wins, after looking in few places", async () => {
  for (const [level, count, least] of [[0, 100, 0.98], [1, 300, 0.95], [2, 100, 0.9]]) {
    let won = 0;
    let looks = 0;
    for (let index = 0; index < count; index++) {
      const { env, first } = start(taskAt(level, index, defaultMaxTurns[level]));
      const steps = await explore(env, first);
      if (steps.at(-1)?.turn.won) won++;
      looks += new Set(steps.filter((s) => s.kind === "look").map((s) => s.subgoal)).size;
    }
    assert(won / count >= least, `level ${level}: ${won} of ${count}`);
    assert(looks / count < 2, `level ${level}: ${looks / count} places searched`);
  }
});

Deno.test("random commands hardly ever win", () => {
  let won = 0;
  const count = 200;
  for (let index = 0; index < count; index++) {
    const { env, first } = start(taskAt(1, index, defaultMaxTurns[1]));
    const rng = new Rng(`random/${index}`);
    let turn = first;
    while (!turn.done) turn = env.step(rng.pick(turn.admissible!));
    if (turn.won) won++;
  }
  assert(won / count < 0.05, `${won} of ${count}`);
});
