import { assert, assertEquals, assertThrows } from "@std/assert";
import { goals, type Level, splitOf } from "../../../envs/lab/generate/goals.ts";
import { generateLab } from "../../../envs/lab/generate/generate_lab.ts";
import { goalSentence, readGoal, taskKinds } from "../../../envs/lab/goal.ts";
import { Lab } from "../../../envs/lab/lab.ts";
import { labTasks } from "../../../envs/lab/lab_tasks.ts";
import type { Task } from "../../../envs/env.ts";

const splits = ["train", "valid", "test"] as const;
const levels: readonly Level[] = [0, 1, 2, 3];

Deno.test("every kind has goals in every split and level, and no goal is in two splits", () => {
  for (const level of levels) {
    for (const kind of taskKinds) {
      const seen = new Set<string>();
      for (const split of splits) {
        const pool = goals(kind, level, split);
        assert(pool.length > 0, `${kind} ${level} ${split}`);
        for (const goal of pool) {
          assertEquals(splitOf(goal), split);
          assert(!seen.has(JSON.stringify(goal)));
          seen.add(JSON.stringify(goal));
        }
      }
    }
  }
});

Deno.test("labs have their level's size, connected rooms, and nothing in a room that is not there", () => {
  for (const level of levels) {
    for (let index = 0; index < 40; index++) {
      const { rooms, neighbours, start, teleport } = generateLab({ split: "train", index, level });
      assertEquals(rooms.length, [3, 4, 6, 9][level]);
      assertEquals(teleport, level < 2);
      const reached = new Set([start.room]);
      for (const room of reached) for (const next of neighbours[room]) reached.add(next);
      assertEquals([...reached].sort(), rooms);
      for (const parent of Object.values(start.at)) assert(rooms.includes(parent) || start.at[parent]);
    }
  }
});

Deno.test("labs are unique by fingerprint within a split and across splits", () => {
  for (const level of [0, 1]) {
    const seen = new Map<string, string>();
    for (const split of splits) {
      for (let index = 0; index < 150; index++) {
        const task = labTasks({ level }).task(split, index) as Task;
        const env = new Lab();
        env.reset(task);
        const print = env.fingerprint();
        assertEquals(seen.get(print), undefined, task.id);
        seen.set(print, task.id);
      }
    }
  }
});

Deno.test("the stove or the sink is broken in about one lab of five where it matters", () => {
  for (const kind of ["boil", "grow_plant"]) {
    const count = 300;
    const broken = Array.from(
      { length: count },
      (_, index) => generateLab({ split: "train", index, level: 1, kinds: { [kind]: 1 } }).broken.length,
    ).filter((n) => n > 0);
    assert(Math.abs(broken.length / count - 0.2) < 0.06, `${kind}: ${broken.length}`);
  }
});

Deno.test("a task sentence is read back", () => {
  for (const level of levels) {
    for (let index = 0; index < 60; index++) {
      const { goal } = generateLab({ split: "test", index, level });
      const read = readGoal(`Your task is to ${goalSentence(goal)}. You are`)!;
      assertEquals([read.kind, read.target || goal.target], [goal.kind, goal.target]);
      if (read.yes !== "") assertEquals([read.yes, read.no], [goal.yes, goal.no]);
    }
  }
  assertEquals(readGoal("Your task is to sing."), null);
});

Deno.test("kinds weigh the tasks; what cannot be generated is an error that says so", () => {
  const kinds = { mix_paint: 1 };
  for (let index = 0; index < 20; index++) {
    assertEquals(generateLab({ split: "valid", index, level: 1, kinds }).goal.kind, "mix_paint");
  }
  assertThrows(() => generateLab({ split: "train", index: -1, level: 1 }), RangeError, "-1");
  assertThrows(() => labTasks({ level: 1, kinds: { sing: 1 } }).task("train", 0), RangeError, "sing");
  assertThrows(() => labTasks({ level: 7 }).task("train", 0), RangeError, "level is 7");
});
