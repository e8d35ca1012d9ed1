import { hash32, Rng, seedPath } from "../../stages/seed.ts";
import type { Split } from "../env.ts";
import { countdownVersion } from "./generate_countdown.ts";
import type { CountdownGold } from "./verify_countdown.ts";

/** Largest number and largest target of a pair task. */
export const largestPair = { number: 30, target: 100 } as const;

const splits: readonly Split[] = ["train", "train", "valid", "test"];

/**
 * Every Countdown task of two numbers from 1 to 30, the greater one first, whose target
 * is a whole number from 1 to 100: half of them are training tasks, a quarter each
 * validation and test, so that no question stands in two splits. In a fixed random order.
 */
export function pairTasks(split: Split): readonly CountdownGold[] {
  const found: CountdownGold[] = [];
  for (let a = 1; a <= largestPair.number; a++) {
    for (let b = 1; b <= a; b++) {
      for (const target of new Set([a + b, a - b, a * b, a / b])) {
        const isTask = Number.isInteger(target) && target >= 1 && target <= largestPair.target;
        const place = hash32(seedPath("countdown", countdownVersion, "pairs", a, b, target));
        if (isTask && splits[place % splits.length] === split) found.push({ nums: [a, b], target });
      }
    }
  }
  return new Rng(seedPath("countdown", countdownVersion, "pairs", split)).shuffle(found);
}
