import type { Turn } from "../envs/env.ts";
import { Household } from "../envs/household/household.ts";
import { fileTask } from "../envs/household/tasks.ts";
import { Rng } from "../stages/seed.ts";

/** Milliseconds that the household takes for one operation in a game of ALFWorld's size. */
export interface HouseholdBenchResult {
  /** A step with the list of admissible commands, median. */
  readonly household_step_ms: number;
  /** A snapshot, and restoring it, median. */
  readonly household_snapshot_restore_ms: number;
}

/** Bars that {@link benchHousehold} stays below. */
export const householdBars = { household_step_ms: 3, household_snapshot_restore_ms: 0.1 } as const;

/** An official game: 287 objects, 532 facts. */
const path = new URL(
  "../fixtures/household/pick_heat_then_place_in_recep-Potato-None-SinkBasin-14/" +
    "trial_T20190908_231731_054988/game.tw-pddl",
  import.meta.url,
).pathname;

/** Walks at random through one game; the first steps warm up. */
export function benchHousehold(steps = 600): HouseholdBenchResult {
  const env = new Household();
  const rng = new Rng("bench");
  const task = fileTask(path, 100_000);
  let turn: Turn = env.reset(task);
  const stepTimes: number[] = [];
  const saveTimes: number[] = [];
  for (let i = 0; i < steps; i++) {
    if (turn.done) turn = env.reset(task);
    const action = rng.pick(turn.admissible!);
    const start = performance.now();
    turn = env.step(action);
    const between = performance.now();
    env.restore(env.snapshot());
    const end = performance.now();
    if (i < steps / 10) continue;
    stepTimes.push(between - start);
    saveTimes.push(end - between);
  }
  return { household_step_ms: median(stepTimes), household_snapshot_restore_ms: median(saveTimes) };
}

function median(times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[times.length >> 1];
}

if (import.meta.main) console.log(benchHousehold());
