import { isHolder, isOpenable, roleOf, stages, thingTypes } from "../catalog.ts";
import { readGoal } from "../goal.ts";
import type { Phase } from "../substances.ts";
import { agent } from "../world/lab_state.ts";
import { Belief, type KnownPortion } from "./belief.ts";

/** The belief after the first observation; null if it holds no task of a known form. */
export function firstBelief(observation: string): Belief | null {
  const goal = readGoal(observation);
  const rooms = /(You can teleport to|There are) ([^.]*)\. You are in/.exec(observation);
  if (goal === null || rooms === null) return null;
  const belief = new Belief(goal, rooms[2].split(", "), rooms[1] === "You can teleport to");
  readObservation(belief, "look around", observation);
  return belief;
}

/** Takes in the answer to a command. Texts of no known form change nothing. */
export function readObservation(belief: Belief, action: string, observation: string): void {
  const meant = /^\(([^)]*)\) /.exec(observation)?.[1];
  const command = meant ?? action.trim();
  const said = meant === undefined ? observation : observation.slice(meant.length + 3);
  let m;
  if ((m = roomPattern.exec(said))) readRoom(belief, m[1], m[2], m[3], m[4]);
  if ((m = /^You open the ([a-z ]+)\. In the [a-z ]+ is ([^.]*)\./.exec(said))) {
    belief.open.add(m[1]);
    readInside(belief, m[1], m[2]);
  }
  if ((m = /^You close the ([a-z ]+)\./.exec(said))) belief.open.delete(m[1]);
  if ((m = /^The door to the ([a-z ]+) is now (open|closed)\./.exec(said))) {
    setDoor(belief, belief.room, m[1], m[2] === "open");
  }
  if ((m = /^You pick up the ([a-z ]+)\./.exec(said))) belief.move(thingOf(m[1]), agent);
  if ((m = /^You put down the ([a-z ]+)\./.exec(said))) belief.move(thingOf(m[1]), belief.room);
  if ((m = /^You move the ([a-z ]+) to the ([a-z ]+)\./.exec(said))) belief.move(thingOf(m[1]), m[2]);
  if ((m = /^The ([a-z ]+) is now (on|off)\./.exec(said))) {
    if (m[2] === "on") belief.on.add(m[1]);
    else belief.on.delete(m[1]);
  }
  if ((m = /^The ([a-z ]+) is broken\. The ([a-z ]+) works\./.exec(said))) belief.broken.set(m[1], m[2]);
  if ((m = /^You focus on the ([a-z -]+)\./.exec(said))) belief.focus = thingOf(m[1]);
  if ((m = /^The thermometer reads (-?\d+) degrees\./.exec(said)) && concernsTarget(belief, command)) {
    belief.reading = Number(m[1]);
  }
  if ((m = /^You connect the ([a-z ]+) to the ([a-z ]+)\./.exec(said))) belief.connect(m[1], m[2]);
  if ((m = /^You disconnect the ([a-z ]+)\./.exec(said))) belief.disconnect(m[1]);
  if ((m = /The light bulb (is on|stays off)\./.exec(said)) && !isInterrupted(belief)) {
    belief.lit = m[1] === "is on";
  }
  if (/^You pour the /.test(said)) pour(belief, command);
  if ((m = /^The paints become ([a-z ]+)\./.exec(said))) {
    const vessel = command.replace(/^mix /, "");
    const units = belief.portions(vessel).reduce((sum, p) => sum + p.units, 0);
    belief.contents.set(vessel, [{ substance: m[1], units, phase: "liquid" }]);
  }
  for (const [, vessel] of said.matchAll(/The ([a-z ]+) fills with water\./g)) {
    belief.contents.set(vessel, [{ substance: "water", units: 1, phase: "liquid" }]);
  }
  for (const [, substance, verb] of said.matchAll(/The ([a-z]+) (boils|freezes|melts|condenses)\./g)) {
    const phase = verb === "boils" ? "gas" : verb === "freezes" ? "solid" : "liquid";
    for (const vessel of belief.vesselsOf(substance).filter((each) => belief.inScope(each))) {
      belief.contents.set(
        vessel,
        belief.portions(vessel).map((p) => (p.substance === substance ? { ...p, phase } : p)),
      );
    }
  }
  for (const [, species, stage] of said.matchAll(/ becomes a ([a-z]+) ([a-z]+)\./g)) {
    belief.names.set(species, `${species} ${stage}`);
  }
}

const roomPattern =
  /You are in the ([a-z ]+)\. You see ([^.]*)\.((?: (?:In|On) the [a-z ]+ is [^.]*\.)*) Doors: ([^.]*)\./;

function readRoom(belief: Belief, room: string, list: string, insides: string, doors: string): void {
  belief.room = room;
  belief.seen.add(room);
  for (const thing of belief.things()) {
    if (belief.roomOf(thing) === room && !belief.isCarried(thing) && belief.lid(thing) === null) {
      belief.at.delete(thing);
    }
  }
  readList(belief, room, list);
  for (const [, holder, inside] of insides.matchAll(/(?:In|On) the ([a-z ]+) is ([^.]*)\./g)) {
    readInside(belief, holder, inside);
  }
  for (const each of doors.split(", ")) {
    setDoor(belief, room, each.replace(" (closed)", ""), !each.endsWith(" (closed)"));
  }
}

function readInside(belief: Belief, holder: string, list: string): void {
  belief.searched.add(holder);
  readList(belief, holder, list);
}

function readList(belief: Belief, parent: string, list: string): void {
  const connections: [string, string][] = [];
  for (const [, name, condition] of list.matchAll(/\ba ([a-z ]+?)(?: \(([^)]*)\))?(?=, a |$)/g)) {
    const thing = thingOf(name);
    if (!Object.hasOwn(thingTypes, thing)) continue;
    belief.move(thing, parent);
    if (name !== thing) belief.names.set(thing, name);
    const facts = condition?.split(", ") ?? [];
    readFacts(belief, thing, facts.filter((fact) => !fact.startsWith("to ")));
    for (const fact of facts) if (fact.startsWith("to ")) connections.push([thing, fact.slice(3)]);
  }
  for (const [thing, others] of connections) {
    for (const other of others.split(" and ")) if (belief.at.has(other)) belief.connect(thing, other);
  }
}

/** A loop through a switch that is off shows nothing. */
function isInterrupted({ wires, on }: Belief): boolean {
  return !on.has("switch") && [...wires].some((wire) => wire.split("|").includes("switch"));
}

function readFacts(belief: Belief, thing: string, facts: readonly string[]): void {
  const flag = (set: Set<string>, fact: string) => facts.includes(fact) ? set.add(thing) : set.delete(thing);
  const role = roleOf(thing);
  if (isOpenable(thing)) flag(belief.open, "open");
  else if (role === "pot") flag(belief.wet, "wet");
  else if (role === "vessel") {
    const before = belief.portions(thing);
    const portions = facts.map((text): KnownPortion => {
      const [, phase = "liquid", substance] = /^(?:(solid|liquid|gas) )?(.*)$/.exec(text)!;
      const units = before.find((p) => p.substance === substance)?.units ?? 1;
      return { substance, units, phase: phase as Phase };
    });
    belief.contents.set(thing, portions);
  } else flag(belief.on, "on");
}

function setDoor(belief: Belief, room: string, other: string, open: boolean): void {
  for (const [a, b] of [[room, other], [other, room]]) {
    const known = belief.doors.get(a) ?? new Map();
    belief.doors.set(a, known.set(b, open));
  }
}

/** The thing of a name: `tomato` of `tomato seedling`. */
function thingOf(name: string): string {
  const stage = (stages as readonly string[]).find((word) => name.endsWith(` ${word}`));
  return stage === undefined ? name : name.slice(0, -stage.length - 1);
}

function concernsTarget({ goal, contents }: Belief, command: string): boolean {
  const on = / on ([a-z ]+)$/.exec(command)?.[1] ?? "";
  return on === goal.target ||
    (contents.get(goal.target) ?? []).some(({ substance }) =>
      on === substance || on === `${substance} in ${goal.target}`
    );
}

function pour(belief: Belief, command: string): void {
  const m = /^pour ([a-z ]+?)(?: in ([a-z ]+))? into ([a-z ]+)$/.exec(command);
  if (m === null) return;
  const [, substance, named, to] = m;
  const from = named ?? belief.vesselsOf(substance).find((vessel) => belief.inScope(vessel));
  const portion = from === undefined
    ? undefined
    : belief.portions(from).find((each) => each.substance === substance);
  if (from === undefined || portion === undefined) return;
  belief.contents.set(from, belief.portions(from).filter((each) => each !== portion));
  if (isHolder(to)) {
    belief.wet.add(to);
    return;
  }
  const there = belief.portions(to);
  const same = there.find((each) => each.substance === substance);
  const joined = { ...portion, units: portion.units + (same?.units ?? 0) };
  belief.contents.set(to, [...there.filter((each) => each !== same), joined]);
}
