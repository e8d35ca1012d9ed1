import { assert, assertEquals, assertThrows } from "@std/assert";
import { operatorsOf } from "../../../envs/countdown/operators_of.ts";
import { largestPair, pairTasks } from "../../../envs/countdown/pair_tasks.ts";
import { solveCountdown } from "../../../envs/countdown/solve_countdown.ts";
import { countdownTasks } from "../../../envs/countdown/tasks.ts";
import type { Task } from "../../../envs/env.ts";

const splits = ["train", "valid", "test"] as const;
const keyOf = ({ nums, target }: { nums: readonly number[]; target: number }) => `${nums}=${target}`;

Deno.test("level 0 is every pair that has a solution, each in one split", () => {
  const solvable: string[] = [];
  for (let a = 1; a <= largestPair.number; a++) {
    for (let b = 1; b <= a; b++) {
      for (let target = 1; target <= largestPair.target; target++) {
        if (solveCountdown({ nums: [a, b], target }) !== null) solvable.push(keyOf({ nums: [a, b], target }));
      }
    }
  }
  const found = splits.flatMap((split) => pairTasks(split).map(keyOf));
  assertEquals(found.toSorted(), solvable.toSorted());
  const [train, valid, test] = splits.map((split) => pairTasks(split).length / found.length);
  assert(Math.abs(train - 0.5) < 0.05 && Math.abs(valid - 0.25) < 0.05 && Math.abs(test - 0.25) < 0.05);
});

Deno.test("a pair's operators are those that its solver may use, and name its kind", () => {
  assertEquals(operatorsOf({ nums: [4, 2], target: 2 }), ["-", "/"]);
  assertEquals(operatorsOf({ nums: [2, 2], target: 4 }), ["+", "*"]);
  assertEquals(operatorsOf({ nums: [7, 3], target: 21 }), ["*"]);
  assertEquals(operatorsOf({ nums: [7, 3], target: 22 }), []);
  const tasks = countdownTasks(0, 1);
  const kinds = new Set<string>();
  for (let index = 0; index < tasks.size("test"); index++) {
    const { kind, payload } = tasks.task("test", index) as Task;
    const [operator] = operatorsOf((payload as { gold: { nums: number[]; target: number } }).gold);
    assertEquals(kind, { "+": "sum", "-": "difference", "*": "product", "/": "quotient" }[operator]);
    kinds.add(kind);
  }
  assertEquals(kinds.size, 4);
});

Deno.test("level 0 ends, and says so", () => {
  const tasks = countdownTasks(0, 1);
  const size = tasks.size("valid");
  assertEquals(
    (tasks.task("valid", size - 1) as Task).id,
    `countdown/valid/0/${String(size - 1).padStart(6, "0")}`,
  );
  assertThrows(() => tasks.task("valid", size), RangeError, `valid has ${size} tasks, none at ${size}`);
});
