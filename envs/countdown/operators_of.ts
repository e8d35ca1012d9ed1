import { type PairOperator, pairOperators } from "./pair_operators.ts";
import type { CountdownGold } from "./verify_countdown.ts";

const values: Readonly<Record<PairOperator, (a: number, b: number) => number>> = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => a / b,
};

/** The operators that reach the target of a task of two numbers in their order. */
export function operatorsOf({ nums: [a, b], target }: CountdownGold): readonly PairOperator[] {
  return pairOperators.filter((operator) => values[operator](a, b) === target);
}
