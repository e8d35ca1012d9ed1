import type { Json, Task, TaskSource } from "../env.ts";
import { RowFault, shown, whole } from "../rows/row.ts";
import type { Row } from "../rows/row.ts";
import { generateCountdown } from "./generate_countdown.ts";
import { operatorsOf } from "./operators_of.ts";
import type { PairOperator } from "./pair_operators.ts";
import { pairTasks } from "./pair_tasks.ts";
import type { CountdownGold } from "./verify_countdown.ts";

/**
 * Generated tasks: all of two small numbers (level 0), or endless ones (level 1 to 4).
 * Another level is a RangeError when a task is asked for.
 */
export function countdownTasks(level: number, attempts: number): TaskSource {
  if (level === 0) return pairSource(attempts);
  return {
    size: () => Infinity,
    task(split, index) {
      if (![1, 2, 3, 4].includes(level)) throw new RangeError(`level is ${level}, not 0, 1, 2, 3 or 4`);
      const id = `countdown/${split}/${level}/${String(index).padStart(6, "0")}`;
      return countdownTask(id, generateCountdown(split, level, index), attempts);
    },
  };
}

const pairKinds: Readonly<Record<PairOperator, string>> = {
  "+": "sum",
  "-": "difference",
  "*": "product",
  "/": "quotient",
};

function pairSource(attempts: number): TaskSource {
  const tasks = { train: pairTasks("train"), valid: pairTasks("valid"), test: pairTasks("test") };
  return {
    size: (split) => tasks[split].length,
    task(split, index) {
      const gold = tasks[split][index];
      if (gold === undefined) {
        throw new RangeError(`${split} has ${tasks[split].length} tasks, none at ${index}`);
      }
      const id = `countdown/${split}/0/${String(index).padStart(6, "0")}`;
      return { ...countdownTask(id, gold, attempts), kind: pairKinds[operatorsOf(gold)[0]] };
    },
  };
}

/** A row of TinyZero's data, `{"target": 98, "nums": [44, 19, 35]}`, as a task. @throws RowFault */
export function countdownRow(row: Row, index: number, attempts: number): Task {
  const { nums } = row;
  const isList = Array.isArray(nums) && nums.length > 0 &&
    nums.every((n) => typeof n === "number" && Number.isSafeInteger(n) && n >= 0);
  if (!isList) throw new RowFault("nums", `expected a list of whole numbers, got ${shown(nums)}`);
  return countdownTask(String(index), { nums: nums as number[], target: whole(row, "target") }, attempts);
}

function countdownTask(id: string, { nums, target }: CountdownGold, attempts: number): Task {
  const question = `Using the numbers ${nums.join(", ")}, write an expression that equals ${target}.`;
  const gold: Json = { nums, target };
  return { id, kind: `${nums.length}_numbers`, payload: { question, gold, attempts } };
}
