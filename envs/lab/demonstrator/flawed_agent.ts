import type { Rng } from "../../../stages/seed.ts";
import type { Player } from "../../demonstrate.ts";
import type { Belief } from "../agent/belief.ts";
import { plan, type PlanOptions } from "../agent/plan.ts";
import { readObservation } from "../agent/read_texts.ts";
import type { Flaws } from "./flaws.ts";

/**
 * An agent that plans from what it has seen, with some rules missing. Under
 * guidance it is flawless until the suggested end is reached, and flawed again
 * after it: otherwise guidance would be a mere switch and its content ignored.
 */
export class FlawedAgent implements Player {
  readonly #options: Required<PlanOptions>;
  readonly #ignoresBroken: boolean;
  #revisits: boolean;
  #guidance: string;
  #refused = "";

  constructor(readonly belief: Belief, readonly flaws: Flaws, readonly rng: Rng, guidance = "") {
    this.#options = {
      skipFocus: rng.chance(flaws.skipFocus),
      skipActivate: rng.chance(flaws.skipActivate),
      skipTest: rng.chance(flaws.skipTest),
      skipWater: rng.chance(flaws.skipWater),
      skipMix: rng.chance(flaws.skipMix),
    };
    this.#ignoresBroken = rng.chance(flaws.ignoreBroken);
    this.#revisits = rng.chance(flaws.revisit);
    this.#guidance = guidance;
  }

  act(): string {
    if (this.#guidance !== "") {
      const wise = plan(this.belief);
      if (wise.subgoal === this.#guidance) return wise.action;
      this.#guidance = "";
    }
    if (this.rng.chance(this.flaws.slip)) return this.#wander();
    const step = plan(this.belief, this.#missing());
    if (step.kind === "look" && this.#revisits) {
      this.#revisits = false;
      return this.#wander();
    }
    // What was refused is done, as far as this agent knows.
    return step.action === this.#refused ? "wait" : step.action;
  }

  observe(action: string, observation: string): void {
    if (observation === "It is there.") this.#refused = action;
    readObservation(this.belief, action, observation);
  }

  /** What is missing now: a broken device counts as one that worked. */
  #missing(): PlanOptions {
    const broken = this.#ignoresBroken && this.belief.broken.size > 0;
    return broken ? { ...this.#options, skipActivate: true, skipWater: true } : this.#options;
  }

  #wander(): string {
    const { belief, rng } = this;
    const known = [...(belief.doors.get(belief.room)?.keys() ?? [])].sort();
    const room = rng.pick(belief.teleport ? belief.rooms : known.length > 0 ? known : belief.rooms);
    return belief.teleport ? `teleport to ${room}` : `go to ${room}`;
  }
}
