import { Rng, seedPath } from "../../stages/seed.ts";
import type { Split } from "../env.ts";
import { joins } from "./solve_countdown.ts";
import type { CountdownGold } from "./verify_countdown.ts";

/** Bumped whenever the same coordinates give another task. */
export const countdownVersion = 1;

/**
 * A task by its coordinates: `level + 2` numbers from 1 to 99 (level 1 to 4), and a
 * target from 10 to 100 that joining them in a random way reaches, so every task can be solved.
 */
export function generateCountdown(split: Split, level: number, index: number): CountdownGold {
  const rng = new Rng(seedPath("countdown", countdownVersion, split, level, index));
  for (;;) {
    const nums = Array.from({ length: level + 2 }, () => 1 + rng.int(99));
    let parts = nums.map((n) => ({ text: String(n), n, d: 1 }));
    while (parts.length > 1) {
      const [a, b, ...rest] = rng.shuffle(parts);
      parts = [...rest, rng.pick(joins(a, b))];
    }
    const target = parts[0].n / parts[0].d;
    if (Number.isInteger(target) && target >= 10 && target <= 100) return { nums, target };
  }
}
