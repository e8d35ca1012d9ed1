import type { Rng } from "../../../stages/seed.ts";
import type { Curriculum } from "../../demonstrator.ts";

/** Probabilities of what a demonstrator does wrong, each drawn once an episode (but for `slip`, once a turn). */
export interface Flaws {
  /** A random command instead of the planned one. */
  readonly slip: number;
  /** Never focuses on what the task is about. */
  readonly skipFocus: number;
  /** Leaves the heater off and the freezer open. */
  readonly skipActivate: number;
  /** Goes on as if a broken device had worked. */
  readonly ignoreBroken: number;
  /** Answers without measuring or testing. */
  readonly skipTest: number;
  /** Does not water. */
  readonly skipWater: number;
  /** Does not mix what it has poured together. */
  readonly skipMix: number;
  /** Looks again where it has looked. */
  readonly revisit: number;
}

const none: Flaws = {
  slip: 0,
  skipFocus: 0,
  skipActivate: 0,
  ignoreBroken: 0,
  skipTest: 0,
  skipWater: 0,
  skipMix: 0,
  revisit: 0,
};

/** Share of flawless episodes in the first curriculum. */
const cleanShare = 0.45;

/**
 * The flaws of one episode's demonstrator. `capable` mixes flawless episodes with
 * noisy ones, so that everything is seen done and every failure is seen diagnosed;
 * `flawed` misses the rules almost always; `blind` always.
 */
export function drawFlaws(curriculum: Curriculum, rng: Rng): Flaws {
  if (curriculum === "capable") {
    if (rng.chance(cleanShare)) return { ...none, slip: 0.01 };
    return {
      slip: 0.02,
      skipFocus: 0.25,
      skipActivate: 0.4,
      ignoreBroken: 0.4,
      skipTest: 0.4,
      skipWater: 0.4,
      skipMix: 0.4,
      revisit: 0.1,
    };
  }
  const missing = curriculum === "blind" ? 1 : 0.985;
  return {
    ...none,
    skipActivate: missing,
    ignoreBroken: missing,
    skipTest: missing,
    skipWater: missing,
    skipMix: missing,
    // Two missing rules are more than one suggestion mends.
    skipFocus: 0.02,
  };
}
