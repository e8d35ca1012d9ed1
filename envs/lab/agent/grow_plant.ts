import { thingTypes } from "../catalog.ts";
import type { Belief } from "./belief.ts";
import { bring, carry, goTo, type PlanStep, search, towards } from "./steps.ts";

/** Plants and waters; null when it only remains to wait. */
export function growPlant(belief: Belief, skipWater: boolean): PlanStep | null {
  const { target, yes: pot } = belief.goal;
  if (!belief.at.has(pot)) return search(belief, thingTypes[pot].homes);
  if (belief.at.get(target) !== pot) return carry(belief, target, pot, "place");
  if (belief.wet.has(pot) || skipWater) return null;
  const [full] = belief.vesselsOf("water");
  const step = full === undefined ? fill(belief) : water(belief, full, pot);
  // Fetching water is part of watering.
  return step.kind === "water" ? { ...step, subgoal: `pour water into ${pot}` } : step;
}

function water(belief: Belief, vessel: string, pot: string): PlanStep {
  const inRoom = belief.vesselsOf("water").filter((other) => belief.inScope(other));
  const name = inRoom.length > 1 ? `water in ${vessel}` : "water";
  const before = bring(belief, vessel, belief.roomOf(pot)!);
  const phase = belief.portions(vessel).find(({ substance }) => substance === "water")!.phase;
  return towards("water", before ?? (phase === "liquid" ? null : "wait"), `pour ${name} into ${pot}`);
}

/** Fills an empty vessel at a tap. */
function fill(belief: Belief): PlanStep {
  const empty = [...belief.contents.keys()].filter((vessel) =>
    belief.at.has(vessel) && belief.portions(vessel).length === 0
  );
  const vessel = empty.find((other) => belief.isCarried(other)) ?? empty.sort()[empty.length - 1];
  if (vessel === undefined) return search(belief, thingTypes["watering can"].homes);
  const tap = belief.broken.get("sink") ?? "sink";
  if (belief.at.get(vessel) !== tap) return carry(belief, vessel, tap, "water");
  // A tap that is on fills it in the next moment.
  if (belief.on.has(tap)) return { action: "wait1", subgoal: "wait1", kind: "water" };
  return towards("water", goTo(belief, belief.placeOf(tap)!), `activate ${tap}`);
}
