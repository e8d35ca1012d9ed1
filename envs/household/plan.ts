import type { Belief } from "./belief.ts";
import { canContain, plausibility, receptacleTypes, typeOf } from "./catalog.ts";
import { type Change, changeOf } from "./goal.ts";

/** The next command of an agent and what it is for. */
export interface PlanStep {
  readonly action: string;
  /** A goal on the way, such as `look in fridge 1` or `heat potato 1 with microwave 1`. */
  readonly subgoal: string;
  readonly kind: "look" | "take" | "state" | "move" | "use";
}

/** How to plan. */
export interface PlanOptions {
  /** Leaves out heating, cooling and cleaning, as an agent would that does not know the rule. */
  readonly skipState?: boolean;
}

const appliances: Readonly<Record<Change, string>> = {
  heat: "microwave",
  cool: "fridge",
  clean: "sinkbasin",
};

/**
 * The next step from what is known: take a target that was seen, else look where
 * its kind is usually found, then change it if the task says so, then put it in
 * place, or use the lamp. Never null; with nothing left to try it looks around.
 */
export function plan(belief: Belief, options: PlanOptions = {}): PlanStep {
  const { goal, held } = belief;
  const change = options.skipState ? null : changeOf(goal.kind);
  if (held !== null && typeOf(held) !== goal.target) return putAside(belief, held);
  if (held === null) {
    const target = chooseTarget(belief, change);
    return target ? take(belief, ...target) : look(belief, goal.target);
  }
  if (goal.kind === "look_at_obj_in_light") return light(belief);
  if (change !== null && !belief.changes.get(held)?.has(change)) return changeState(belief, change, held);
  const destination = chooseDestination(belief);
  return destination ? move(belief, held, destination) : idle;
}

const idle: PlanStep = { action: "look", subgoal: "look", kind: "look" };

function take(belief: Belief, thing: string, receptacle: string): PlanStep {
  const command = `take ${thing} from ${receptacle}`;
  return { action: reach(belief, receptacle) ?? command, subgoal: command, kind: "take" };
}

function move(belief: Belief, thing: string, receptacle: string): PlanStep {
  const command = `move ${thing} to ${receptacle}`;
  return { action: reach(belief, receptacle) ?? command, subgoal: command, kind: "move" };
}

function changeState(belief: Belief, change: Change, thing: string): PlanStep {
  const usual = belief.receptacles.filter((r) => typeOf(r) === appliances[change]);
  const appliance = usual.find((r) => !belief.broken.has(r)) ?? belief.broken.get(usual[0]);
  if (appliance === undefined) return idle;
  const command = `${change} ${thing} with ${appliance}`;
  return { action: goTo(belief, appliance) ?? command, subgoal: command, kind: "state" };
}

function light(belief: Belief): PlanStep {
  const lamp = [...belief.contents.values()].flat().find((t) => typeOf(t) === belief.goal.destination);
  if (lamp === undefined) return look(belief, belief.goal.destination);
  const command = `use ${lamp}`;
  return { action: goTo(belief, belief.placeOf(lamp)!) ?? command, subgoal: command, kind: "use" };
}

/** Puts a wrong thing down, here if this place takes it. */
function putAside(belief: Belief, held: string): PlanStep {
  const fits = belief.receptacles.filter((r) =>
    !belief.locked.has(r) && !belief.refused.has(`move ${held} to ${r}`) &&
    (canContain(typeOf(r), typeOf(held)) || plausibility(typeOf(held), typeOf(r)) > 0)
  );
  const surface = (r: string) =>
    !(receptacleTypes[typeOf(r)]?.openable ?? false) || belief.open.get(r) === true;
  const place = fits.find((r) => belief.here.has(r) && surface(r)) ?? fits.find(surface) ?? fits[0];
  return place ? move(belief, held, place) : idle;
}

/** Looks into the receptacle where `type` most likely is for the commands it takes. */
function look(belief: Belief, type: string): PlanStep {
  const unseen = belief.receptacles.filter((r) => !belief.contents.has(r) && !belief.locked.has(r));
  let best: string | null = null;
  let most = -1;
  for (const r of unseen) {
    const kind = typeOf(r);
    const share = plausibility(type, kind) / belief.receptacles.filter((o) => typeOf(o) === kind).length;
    const shut = (receptacleTypes[kind]?.openable ?? false) && belief.open.get(r) !== true;
    const start = kind === belief.goal.destination ? 0.1 : 1;
    const worth = (share + 0.001) * start / (shut ? 2 : 1);
    if (worth > most || (worth === most && number(r) < number(best!))) [best, most] = [r, worth];
  }
  if (best === null) return idle;
  return { action: reach(belief, best) ?? `examine ${best}`, subgoal: `look in ${best}`, kind: "look" };
}

/** A seen target that still has to be moved, and where it is; changed ones first. */
function chooseTarget(belief: Belief, change: Change | null): [string, string] | null {
  const { goal } = belief;
  const seen: [string, string][] = [...belief.contents].flatMap(([r, things]) =>
    things.filter((t) => typeOf(t) === goal.target && !belief.locked.has(r)).map((
      t,
    ): [string, string] => [t, r])
  );
  const keep = goal.kind === "pick_two_obj_and_place" ? chooseDestination(belief) : null;
  const open = seen.filter(([t, r]) =>
    goal.kind === "pick_two_obj_and_place"
      ? r !== keep
      : typeOf(r) !== goal.destination || goal.kind === "look_at_obj_in_light" ||
        (change !== null && !belief.changes.get(t)?.has(change))
  );
  const rank = ([t, r]: [string, string]) =>
    (change !== null && belief.changes.get(t)?.has(change) ? 0 : 2) +
    (typeOf(r) === goal.destination ? 1 : 0);
  return open.sort((a, b) => rank(a) - rank(b))[0] ?? null;
}

/** The fullest of target things, then one known to be open, then the lowest number. */
function chooseDestination(belief: Belief): string | null {
  const { goal } = belief;
  const count = (r: string) => belief.contents.get(r)?.filter((t) => typeOf(t) === goal.target).length ?? 0;
  return belief.receptacles
    .filter((r) => typeOf(r) === goal.destination && !belief.locked.has(r))
    .sort((a, b) =>
      count(b) - count(a) || Number(belief.open.get(b) === true) - Number(belief.open.get(a) === true) ||
      number(a) - number(b)
    )[0] ?? null;
}

/** The command towards being at an open receptacle, or null when there. */
function reach(belief: Belief, receptacle: string): string | null {
  const away = goTo(belief, receptacle);
  if (away) return away;
  const open = belief.open.get(receptacle) ?? !(receptacleTypes[typeOf(receptacle)]?.openable ?? false);
  return open ? null : `open ${receptacle}`;
}

function goTo(belief: Belief, receptacle: string): string | null {
  return belief.here.has(receptacle) ? null : `go to ${receptacle}`;
}

function number(name: string): number {
  return Number(name.slice(name.lastIndexOf(" ") + 1));
}
