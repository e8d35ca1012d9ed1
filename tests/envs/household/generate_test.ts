import { assert, assertEquals, assertThrows } from "@std/assert";
import { defaultKinds, generateGame } from "../../../envs/household/generate/generate_game.ts";
import { goals, type Level, splitOf } from "../../../envs/household/generate/goals.ts";
import { receptacleTypes } from "../../../envs/household/catalog.ts";
import { taskKinds } from "../../../envs/household/goal.ts";
import { Household } from "../../../envs/household/household.ts";
import { householdTasks } from "../../../envs/household/tasks.ts";
import type { Task } from "../../../envs/env.ts";

const splits = ["train", "valid", "test"] as const;
const sizes = [[4, 6, 3, 5], [7, 9, 5, 7], [10, 15, 10, 15], [20, 30, 25, 40]];

Deno.test("games have their level's size, a target out of place and every closable thing shut", () => {
  for (const level of [0, 1, 2, 3] as Level[]) {
    const [fewest, most, fewestThings, mostThings] = sizes[level];
    for (let index = 0; index < 60; index++) {
      const { goal, layout: { receptacles, objects }, file } = generateGame({ split: "train", index, level });
      assert(receptacles.length >= fewest && receptacles.length <= most, `${receptacles.length}`);
      assert(objects.length >= fewestThings && objects.length <= mostThings, `${objects.length}`);
      const targets = objects.filter((o) => o.type === goal.target);
      assert(targets.length >= (goal.kind === "pick_two_obj_and_place" ? 2 : 1));
      for (const { receptacle } of targets) {
        const { type } = receptacles[receptacle];
        assert(type !== goal.destination);
        if (level === 0) assert(!receptacleTypes[type].openable);
      }
      if (level > 0) {
        for (const type of ["fridge", "microwave", "sinkbasin"]) {
          assert(receptacles.some((r) => r.type === type));
        }
      }
      assert(!file.pddl_problem.includes("(opened "));
    }
  }
});

Deno.test("rules have their exceptions about one time in five", () => {
  const share = (kinds: Record<string, number>, fits: (i: number) => boolean | null) => {
    const seen = Array.from({ length: 600 }, (_, i) => fits(i)).filter((f) => f !== null);
    assert(seen.length > 100, JSON.stringify(kinds));
    return seen.filter(Boolean).length / seen.length;
  };
  for (const kind of ["pick_heat_then_place_in_recep", "pick_clean_then_place_in_recep"]) {
    const kinds = { [kind]: 1 };
    const rate = share(
      kinds,
      (index) =>
        generateGame({ split: "train", index, level: 1, kinds }).layout.receptacles.some((r) => r.broken),
    );
    assert(Math.abs(rate - 0.2) < 0.05, `${kind}: ${rate}`);
  }
  const kinds = { pick_and_place_simple: 1 };
  const rate = share(kinds, (index) => {
    const { goal, layout } = generateGame({ split: "train", index, level: 1, kinds });
    if (!["cabinet", "drawer", "safe"].includes(goal.destination)) return null;
    return layout.receptacles.some((r) => r.locked);
  });
  assert(Math.abs(rate - 0.2) < 0.08, `locked: ${rate}`);
});

Deno.test("every task type has goals in every split and level, and no triple is in two splits", () => {
  for (const level of [0, 1, 2, 3] as Level[]) {
    const seen = new Map<string, string>();
    for (const kind of taskKinds) {
      for (const split of splits) {
        const pool = goals(kind, level, split);
        assert(pool.length > 0, `${kind} ${level} ${split}`);
        for (const goal of pool) {
          const key = JSON.stringify(goal);
          assertEquals(seen.get(key) ?? split, split);
          seen.set(key, split);
        }
      }
    }
  }
});

Deno.test("games are unique by fingerprint within a split and across splits", () => {
  for (const level of [0, 1]) {
    const seen = new Map<string, string>();
    for (const split of splits) {
      for (let index = 0; index < 150; index++) {
        const task = householdTasks({ level }).task(split, index) as Task;
        const env = new Household();
        env.reset(task);
        const print = env.fingerprint();
        assertEquals(seen.get(print), undefined, task.id);
        seen.set(print, task.id);
      }
    }
  }
});

Deno.test("a drawn goal belongs to its split, and the sentence varies only from level 2 on", () => {
  const second = /Your task is to: (put some|heat some|cool some|clean some|find two|examine the)/;
  for (const level of [0, 1, 2] as Level[]) {
    let varied = 0;
    for (const split of splits) {
      for (let index = 0; index < 40; index++) {
        const { goal, file } = generateGame({ split, index, level });
        assertEquals(splitOf(goal), split);
        if (second.test(file.grammar)) varied++;
      }
    }
    assertEquals(varied > 0, level >= 2);
  }
});

Deno.test("kinds weigh the task types; what cannot be generated is an error that says so", () => {
  const kinds = { pick_two_obj_and_place: 1 };
  for (let index = 0; index < 20; index++) {
    assertEquals(
      generateGame({ split: "valid", index, level: 1, kinds }).goal.kind,
      "pick_two_obj_and_place",
    );
  }
  assertEquals(Object.values(defaultKinds(1)), [3, 2, 2, 2, 1, 1]);
  assertThrows(() => generateGame({ split: "train", index: -1, level: 1 }), RangeError, "-1");
  assertThrows(() => householdTasks({ level: 1, kinds: { sing: 1 } }).task("train", 0), RangeError, "sing");
  assertThrows(() => householdTasks({ level: 7 }).task("train", 0), RangeError, "level is 7");
});
