import type { Rng } from "../../../stages/seed.ts";
import type { Belief } from "../belief.ts";
import { plausibility, typeOf } from "../catalog.ts";
import { plan, type PlanStep } from "../plan.ts";
import type { Flaws } from "./flaws.ts";

const APPLIANCES = ["microwave 1", "fridge 1", "sinkbasin 1"] as const;

/** Chance, each turn, that an overlooked object stays overlooked. */
const STAYS_BLIND = 0.9;

/**
 * An agent that plans from what it has seen, with some rules missing. Under
 * guidance it is flawless until the suggested end is reached, and flawed again
 * after it: otherwise guidance would be a mere switch and its content ignored.
 */
export class FlawedAgent {
  readonly #belief: Belief;
  readonly #rng: Rng;
  readonly #slip: number;
  readonly #has: Record<"skipState" | "ignoreBroken" | "skipLamp" | "stopAfterOne" | "skipOpen", boolean>;
  readonly #passed = new Set<string>();
  #guidance: string;
  #wrongAppliance: string | null;
  #wrongDestination: string | null;
  #revisits: boolean;
  readonly #overlooks: boolean;
  /** It believes that nothing is left to do. */
  #idle = false;

  constructor(
    belief: Belief,
    flaws: Flaws,
    rng: Rng,
    guidance = "",
  ) {
    this.#belief = belief;
    this.#rng = rng;
    this.#guidance = guidance;
    this.#slip = flaws.slip;
    this.#has = {
      skipState: rng.chance(flaws.skipState),
      ignoreBroken: rng.chance(flaws.ignoreBroken),
      skipLamp: rng.chance(flaws.skipLamp),
      stopAfterOne: rng.chance(flaws.stopAfterOne),
      skipOpen: rng.chance(flaws.skipOpen),
    };
    this.#revisits = rng.chance(flaws.revisit);
    this.#overlooks = rng.chance(flaws.overlook);
    this.#wrongAppliance = rng.chance(flaws.wrongAppliance) ? rng.pick(APPLIANCES) : null;
    const others = belief.receptacles.filter((r) => typeOf(r) !== belief.goal.destination);
    this.#wrongDestination = rng.chance(flaws.wrongDestination) && others.length > 0
      ? rng.pick(others)
      : null;
  }

  /** The next command. */
  act(): string {
    if (this.#guidance !== "") {
      const wise = plan(this.#belief);
      if (wise.subgoal === this.#guidance) return wise.action;
      this.#guidance = "";
    }
    if (this.#rng.chance(this.#slip)) return this.#anything();
    if (this.#idle) return this.#onwards();
    const broken = this.#has.ignoreBroken && this.#belief.broken.size > 0;
    const step = plan(this.#belief, { skipState: this.#has.skipState || broken });
    return this.#spoil(step);
  }

  /** Learns what an action led to. */
  observe(action: string, observation: string): void {
    const { goal } = this.#belief;
    this.#belief.update(action, observation);
    const moved = /^You move the (\w+) \d+ to the (\w+) \d+\.$/.exec(observation);
    if (moved === null || moved[1] !== goal.target || moved[2] !== goal.destination) return;
    // Brought there without what was asked for: the flawed agent is content.
    if (
      goal.kind === "pick_two_obj_and_place" ? this.#has.stopAfterOne : goal.kind !== "pick_and_place_simple"
    ) {
      this.#idle = true;
    }
  }

  #spoil(step: PlanStep): string {
    const { held: holding, goal, open } = this.#belief;
    const at = this.#at();
    if (goal.kind === "look_at_obj_in_light" && holding !== null && this.#has.skipLamp) {
      return this.#onwards();
    }
    if (step.action.startsWith("open ") && this.#has.skipOpen) {
      this.#passed.add(at!);
      if (step.kind === "move") {
        this.#idle = true;
        return `move ${holding} to ${at}`;
      }
      return this.#elsewhere();
    }
    if (step.kind === "look") {
      if (this.#has.skipOpen && step.action.startsWith("go to ") && this.#passed.has(step.action.slice(6))) {
        return this.#elsewhere();
      }
      if (this.#revisits && step.action.startsWith("go to ")) {
        this.#revisits = false;
        return this.#wander();
      }
    }
    if (step.kind === "take" && this.#overlooks && this.#rng.chance(STAYS_BLIND)) return this.#elsewhere();
    if (
      step.kind === "state" && this.#wrongAppliance !== null && !step.subgoal.endsWith(this.#wrongAppliance)
    ) {
      if (at !== this.#wrongAppliance) return `go to ${this.#wrongAppliance}`;
      const command = `${step.subgoal.split(" ")[0]} ${holding} with ${at}`;
      this.#wrongAppliance = null;
      this.#has.skipState = true;
      return command;
    }
    if (step.kind === "move" && this.#wrongDestination !== null) {
      if (at !== this.#wrongDestination) return `go to ${this.#wrongDestination}`;
      if (open.get(at) === false) return `open ${at}`;
      this.#wrongDestination = null;
      return `move ${holding} to ${at}`;
    }
    return step.action;
  }

  /** The most plausible place that is neither known nor passed by; wandering when there is none. */
  #elsewhere(): string {
    const { receptacles, contents, goal, here } = this.#belief;
    const left = receptacles.filter((r) => !contents.has(r) && !this.#passed.has(r) && !here.has(r));
    if (left.length === 0) return this.#onwards();
    const score = (r: string) => plausibility(goal.target, typeOf(r));
    return `go to ${left.reduce((best, r) => (score(r) > score(best) ? r : best))}`;
  }

  #at(): string | null {
    return this.#belief.here.values().next().value ?? null;
  }

  /**
   * Walks on to the next receptacle of the room's list, aimlessly but without
   * chance. Places where the object is known to lie are left out: seeing it and
   * passing by would teach not to take it.
   */
  #onwards(): string {
    const { receptacles, contents, goal } = this.#belief;
    const at = receptacles.indexOf(this.#at() ?? "");
    const round = [...receptacles.slice(at + 1), ...receptacles.slice(0, at + 1)];
    const harmless = (r: string) => !contents.get(r)?.some((thing) => typeOf(thing) === goal.target);
    return `go to ${round.find((r) => r !== receptacles[at] && harmless(r)) ?? round[0]}`;
  }

  #wander(): string {
    return `go to ${this.#rng.pick(this.#belief.receptacles.filter((r) => !this.#belief.here.has(r)))}`;
  }

  #anything(): string {
    const { open, contents, held: holding } = this.#belief;
    const at = this.#at();
    const choices = [this.#wander()];
    const shut = at !== null && open.get(at) === false;
    if (shut) choices.push(`open ${at}`);
    const here = at === null || shut ? [] : contents.get(at) ?? [];
    if (holding === null && here.length > 0) choices.push(`take ${this.#rng.pick(here)} from ${at}`);
    if (holding !== null && at !== null && contents.has(at)) choices.push(`move ${holding} to ${at}`);
    return this.#rng.pick(choices);
  }
}
