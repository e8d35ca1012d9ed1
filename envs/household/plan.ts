import { type Belief, typeOf } from "./belief.ts";

/** What to do next, and to which end. */
export interface PlanStep {
  /** The next command. */
  readonly action: string;
  /** The end it serves, as a command: `look in fridge 1`, `take potato 1 from fridge 1`, `heat potato 1 with microwave 1`. */
  readonly subgoal: string;
  readonly kind: "look" | "take" | "state" | "move" | "use" | "drop";
}

/** How to plan. */
export interface PlanOptions {
  /** How plausible it is to find an object of a type in a receptacle of a type; higher is searched first. */
  readonly prior?: (object: string, receptacle: string) => number;
  /** Leaves out heating, cooling and cleaning. */
  readonly skipState?: boolean;
}

const APPLIANCES = { heat: "microwave", cool: "fridge", clean: "sinkbasin" } as const;
const STATES = { heat: "hot", cool: "cool", clean: "clean" } as const;

/** The next step of an expert who knows only `belief`. */
export function plan(belief: Belief, options: PlanOptions = {}): PlanStep {
  const { goal, holding } = belief;
  if (holding === null) return fetch(belief, options);
  if (typeOf(holding) !== goal.object) return drop(belief, holding);
  if (goal.kind === "look") return useLamp(belief, options);
  if (needsState(belief, holding) && options.skipState !== true) return changeState(belief, holding);
  return deliver(belief, holding);
}

/** Whether the goal asks for a state that `object` does not have. */
export function needsState({ goal, states }: Belief, object: string): boolean {
  if (goal.kind !== "heat" && goal.kind !== "cool" && goal.kind !== "clean") return false;
  return states.get(object)?.has(STATES[goal.kind]) !== true;
}

/** Goes to `receptacle`, opens it if it is closed, then does `command` there. */
function reach(
  belief: Belief,
  receptacle: string,
  command: string,
  step: Omit<PlanStep, "action">,
): PlanStep {
  if (belief.at !== receptacle) return { action: `go to ${receptacle}`, ...step };
  if (belief.closed.has(receptacle)) return { action: `open ${receptacle}`, ...step };
  return { action: command, ...step };
}

/** Takes a known object that still has to be brought, or looks for one. */
function fetch(belief: Belief, options: PlanOptions): PlanStep {
  const done = destinationInUse(belief);
  const wanted = belief.seenOfType(belief.goal.object).find((object) => {
    const place = belief.whereIs(object)!;
    return belief.goal.kind === "two" ? place !== done : true;
  });
  if (wanted === undefined) return look(belief, belief.goal.object, options);
  const place = belief.whereIs(wanted)!;
  const command = `take ${wanted} from ${place}`;
  return reach(belief, place, command, { subgoal: command, kind: "take" });
}

/** The most plausible receptacle that was not looked into; the first of equals. */
function look(belief: Belief, type: string, options: PlanOptions): PlanStep {
  const unseen = belief.receptacles.filter((r) => !belief.contents.has(r) && !belief.locked.has(r));
  const here = belief.at;
  if (here !== null && unseen.includes(here) && belief.closed.has(here)) {
    return { action: `open ${here}`, subgoal: `look in ${here}`, kind: "look" };
  }
  const prior = options.prior ?? (() => 1);
  const best = unseen.reduce<string | null>(
    (found, r) => (found === null || prior(type, typeOf(r)) > prior(type, typeOf(found)) ? r : found),
    null,
  );
  const goal = best ?? belief.receptacles.find((r) => r !== here) ?? "";
  return reach(belief, goal, `examine ${goal}`, { subgoal: `look in ${goal}`, kind: "look" });
}

function changeState(belief: Belief, object: string): PlanStep {
  const verb = belief.goal.kind as keyof typeof APPLIANCES;
  const usual = belief.receptacles.find((r) => typeOf(r) === APPLIANCES[verb]) ?? `${APPLIANCES[verb]} 1`;
  const appliance = belief.broken.get(usual) ?? usual;
  const command = `${verb} ${object} with ${appliance}`;
  // Appliances work closed.
  const action = belief.at === appliance ? command : `go to ${appliance}`;
  return { action, subgoal: command, kind: "state" };
}

function deliver(belief: Belief, object: string): PlanStep {
  const candidates = belief.receptacles.filter((r) =>
    typeOf(r) === belief.goal.destination && !belief.locked.has(r)
  );
  const inUse = belief.goal.kind === "two" ? destinationInUse(belief) : null;
  const here = belief.at !== null && candidates.includes(belief.at) ? belief.at : null;
  const place = inUse ?? here ?? candidates[0] ?? `${belief.goal.destination} 1`;
  const command = `move ${object} to ${place}`;
  return reach(belief, place, command, { subgoal: command, kind: "move" });
}

/** The destination that holds a target already; both of two objects must go into the same one. */
function destinationInUse(belief: Belief): string | null {
  for (const [receptacle, objects] of belief.contents) {
    if (typeOf(receptacle) !== belief.goal.destination) continue;
    if (objects.some((object) => typeOf(object) === belief.goal.object)) return receptacle;
  }
  return null;
}

function useLamp(belief: Belief, options: PlanOptions): PlanStep {
  const lamp = belief.seenOfType(belief.goal.destination)[0];
  if (lamp === undefined) return look(belief, belief.goal.destination, options);
  const place = belief.whereIs(lamp)!;
  return reach(belief, place, `use ${lamp}`, { subgoal: `use ${lamp}`, kind: "use" });
}

/** Puts down what is not wanted, here if something can be put here. */
function drop(belief: Belief, object: string): PlanStep {
  const open = belief.at !== null && belief.contents.has(belief.at) ? belief.at : null;
  const place = open ?? belief.receptacles.find((r) => belief.contents.has(r) && !belief.closed.has(r)) ??
    belief.receptacles[0] ?? "";
  const command = `move ${object} to ${place}`;
  return reach(belief, place, command, { subgoal: command, kind: "drop" });
}
