import type { Curriculum } from "../../demonstrator.ts";
import type { Rng } from "../../../stages/seed.ts";

/** Probabilities of what a demonstrator does wrong, each drawn once an episode (but for `slip`, once a turn). */
export interface Flaws {
  /** A random command instead of the planned one. */
  readonly slip: number;
  /** Never heats, cools or cleans. */
  readonly skipState: number;
  /** Heats, cools or cleans with an appliance that cannot do it, and then goes on. */
  readonly wrongAppliance: number;
  /** Goes on as if a broken appliance had worked. */
  readonly ignoreBroken: number;
  /** Never turns the lamp on. */
  readonly skipLamp: number;
  /** Stops after the first of two objects. */
  readonly stopAfterOne: number;
  /** Passes by the object although it lies in sight. */
  readonly overlook: number;
  /** Passes by what is closed. */
  readonly skipOpen: number;
  /** Looks again where it has looked. */
  readonly revisit: number;
  /** Brings the object to another kind of receptacle first. */
  readonly wrongDestination: number;
}

const NONE: Flaws = {
  slip: 0,
  skipState: 0,
  wrongAppliance: 0,
  ignoreBroken: 0,
  skipLamp: 0,
  stopAfterOne: 0,
  overlook: 0,
  skipOpen: 0,
  revisit: 0,
  wrongDestination: 0,
};

/** Share of flawless episodes in the first curriculum. */
const CLEAN_SHARE = 0.45;

/**
 * The flaws of one episode's demonstrator. `capable` mixes flawless episodes with
 * noisy ones, so that everything is seen done and every failure is seen diagnosed;
 * `flawed` misses the rules almost always; `blind` always.
 */
export function drawFlaws(curriculum: Curriculum, rng: Rng): Flaws {
  if (curriculum === "capable") {
    if (rng.chance(CLEAN_SHARE)) return { ...NONE, slip: 0.01 };
    return {
      slip: 0.02,
      skipState: 0.5,
      wrongAppliance: 0.25,
      ignoreBroken: 0.5,
      skipLamp: 0.5,
      stopAfterOne: 0.5,
      overlook: 0.12,
      skipOpen: 0.35,
      revisit: 0.15,
      wrongDestination: 0.15,
    };
  }
  const missing = curriculum === "blind" ? 1 : 0.985;
  return {
    ...NONE,
    skipState: missing,
    ignoreBroken: missing,
    skipLamp: missing,
    stopAfterOne: missing,
    overlook: 0.01,
    skipOpen: curriculum === "blind" ? 0.5 : 0.05,
  };
}
