import type { Split } from "../../env.ts";
import type { Goal } from "./goal.ts";
import { PythonRandom } from "./python_random.ts";

/** Goals in the original's order: index `n` here is its session `n`. */
export function orderGoals(goals: readonly Goal[]): Goal[] {
  return new PythonRandom(233).shuffle(goals);
}

/** Where the customary splits end: 500 for the test, 1000 for validation, the rest for training. */
const CUSTOMARY = [500, 1500] as const;

/**
 * The splits of ordered goals: the customary ones, or a sixth each for test and
 * validation where there are too few goals for them.
 */
export function splitGoals(ordered: readonly Goal[]): Readonly<Record<Split, readonly Goal[]>> {
  const sixth = Math.floor(ordered.length / 6);
  const [test, valid] = ordered.length > 2 * CUSTOMARY[1] ? CUSTOMARY : [sixth, 2 * sixth];
  return { test: ordered.slice(0, test), valid: ordered.slice(test, valid), train: ordered.slice(valid) };
}
