import type { Rng } from "../../../stages/seed.ts";
import { type Homes, isHolder, isLiving, roleOf, thingsOf, thingTypes } from "../catalog.ts";
import { type Goal, type TaskKind, threshold } from "../goal.ts";
import { ingredients, paintName, type Parts, primary } from "../paints.ts";
import { phaseOf, substances } from "../substances.ts";
import type { LabState, Portion } from "../world/lab_state.ts";
import { tapMass, temperatures } from "../world/tick.ts";
import { type Level, vessels } from "./goals.ts";
import type { Plan } from "./plan_rooms.ts";

/** Share of the labs whose usual device is broken, where the task uses it. */
const brokenShare = 0.2;

const boxRooms: Readonly<Partial<Record<TaskKind, string>>> = {
  measure_temperature: "kitchen",
  test_conductivity: "workshop",
};

/** The things of a lab, each in its place, and the devices that do not work. */
export function furnish(goal: Goal, plan: Plan, level: Level, rng: Rng) {
  const room = new Furnisher(plan, level, rng);
  room.fixtures();
  const { kind, target, yes, no } = goal;
  const broken: string[] = [];
  if (level > 0) {
    const device = kind === "boil" || kind === "melt" ? "stove" : kind === "grow_plant" ? "sink" : null;
    if (device !== null && rng.fork("broken").chance(brokenShare)) broken.push(device);
  }
  switch (kind) {
    case "boil":
    case "melt":
    case "freeze":
      room.substance(yes, target);
      room.others(target, level + 1);
      break;
    case "measure_temperature":
      room.box(boxRooms[kind]!, yes, no);
      room.measured(target);
      room.others("", level);
      break;
    case "test_conductivity":
      room.box(boxRooms[kind]!, yes, no);
      room.place(target, thingTypes[target].homes);
      room.circuit();
      break;
    case "find_living_thing":
    case "find_non_living_thing":
      room.box(plan.rooms.includes(no) ? no : rng.fork("box").pick(plan.rooms), yes);
      break;
    case "grow_plant":
      room.garden(target, yes, broken);
      break;
    case "mix_paint":
      room.paints(target, yes);
      break;
  }
  room.clutter(kind, target);
  return { broken, start: room.state() };
}

/** Puts things into the rooms of a plan. */
class Furnisher {
  readonly #at: Record<string, string> = {};
  readonly #contents: Record<string, readonly Portion[]> = {};
  readonly #moisture: Record<string, number> = {};
  readonly #wires: [string, string][] = [];

  constructor(readonly plan: Plan, readonly level: Level, readonly rng: Rng) {}

  /** Everything that stays where it is and belongs to a room of the plan. */
  fixtures(): void {
    const roles = ["heater", "cooler", "tap", "surface", "cupboard"] as const;
    for (const thing of thingsOf(...roles)) {
      const [room] = Object.keys(thingTypes[thing].homes);
      if (this.plan.rooms.includes(room)) this.#at[thing] = room;
    }
  }

  box(room: string, ...boxes: readonly string[]): void {
    for (const box of boxes) this.#at[box] = room;
  }

  /** A thing in one of its homes, on the floor, on a surface or, from level 1 on, in something closed. */
  place(thing: string, homes: Homes): void {
    const rng = this.rng.fork(`place ${thing}`);
    const known = Object.keys(homes).filter((room) => this.plan.rooms.includes(room));
    const room = known.length > 0
      ? rng.weighted(known, known.map((r) => homes[r]))
      : rng.pick(this.plan.rooms);
    const holders = Object.keys(this.#at).filter((holder) =>
      this.#at[holder] === room && isHolder(holder) &&
      (roleOf(holder) === "surface" || (roleOf(holder) === "cupboard" && this.level > 0 && !isLiving(thing)))
    );
    this.#at[thing] = rng.chance(0.5) || holders.length === 0 ? room : rng.pick(holders);
  }

  substance(vessel: string, name: string, temperature: number = temperatures.room): void {
    this.place(vessel, substances[name].homes);
    this.#contents[vessel] = [{ substance: name, mass: tapMass, temperature }];
  }

  /** Other substances in other vessels. */
  others(target: string, count: number): void {
    const rng = this.rng.fork("others");
    const free = rng.shuffle(vessels.filter((vessel) => this.#at[vessel] === undefined));
    const names = rng.shuffle(Object.keys(substances).filter((name) => name !== target));
    free.slice(0, count).forEach((vessel, i) => this.substance(vessel, names[i]));
  }

  /** The thermometer, and a flask of something liquid whose temperature is well off the threshold. */
  measured(flask: string): void {
    const rng = this.rng.fork("measured");
    const above = rng.chance(0.5);
    const temperature = above ? threshold + 50 + 10 * rng.int(10) : threshold - 50 - 10 * rng.int(30);
    const liquids = Object.keys(substances).filter((name) => phaseOf(name, temperature) === "liquid");
    this.substance(flask, rng.pick(liquids), temperature);
    this.place("thermometer", thingTypes.thermometer.homes);
  }

  /** Battery, bulb and wires: laid up to level 1, loose from level 2 on, with a switch at level 3. */
  circuit(): void {
    const last = this.level === 3 ? "switch" : "blue wire";
    const parts = ["battery", "light bulb", "red wire", "black wire", last];
    for (const part of parts) this.#at[part] = "work table";
    if (this.level > 1) return;
    this.#wires.push(["battery", last], ["battery", "red wire"], ["black wire", "light bulb"], [
      last,
      "light bulb",
    ]);
  }

  /** Seeds, pots, and a watering can: full at level 0, at level 1 every other time. */
  garden(target: string, pot: string, broken: readonly string[]): void {
    const rng = this.rng.fork("garden");
    const others = thingsOf("plant").filter((plant) => plant !== target);
    for (const plant of [target, ...rng.shuffle(others).slice(0, this.level + 1)]) {
      this.place(plant, thingTypes[plant].homes);
    }
    const pots = thingsOf("pot").filter((other) => other !== pot);
    for (const each of [pot, ...rng.shuffle(pots).slice(0, 1)]) {
      this.#at[each] = "greenhouse";
      this.#moisture[each] = 0;
    }
    const full = broken.length === 0 && (this.level === 0 || (this.level === 1 && rng.chance(0.5)));
    this.place("watering can", thingTypes["watering can"].homes);
    this.#contents["watering can"] = full
      ? [{ substance: "water", mass: tapMass, temperature: temperatures.room }]
      : [];
  }

  /** The primary paints, as often as the colour needs them, the others once, and an empty vessel. */
  paints(colour: string, empty: string): void {
    const rng = this.rng.fork("paints");
    const needed = ingredients(colour);
    const all = [...needed, ...primary.filter((name) => !needed.includes(name))];
    const free = rng.shuffle(vessels.filter((vessel) => vessel !== empty));
    all.forEach((name, i) => {
      const parts = primary.map((other) => other === name ? tapMass : 0) as unknown as Parts;
      this.place(free[i], { "art studio": 1 });
      this.#contents[free[i]] = [
        { substance: paintName(parts), mass: tapMass, temperature: temperatures.room, parts },
      ];
    });
    this.place(empty, { "art studio": 1 });
    this.#contents[empty] = [];
  }

  /** Objects and animals that the task may or may not ask for: at least one of what is to be found. */
  clutter(kind: TaskKind, target: string): void {
    const rng = this.rng.fork("clutter");
    const draw = (role: "object" | "animal", count: number) =>
      rng.shuffle(thingsOf(role).filter((thing) => thing !== target)).slice(0, count)
        .forEach((thing) => this.place(thing, thingTypes[thing].homes));
    draw("object", this.level + (kind === "find_non_living_thing" ? 2 : 1));
    draw("animal", kind === "find_living_thing" ? 1 + (this.level >> 1) : this.level >> 1);
  }

  state(): LabState {
    for (const thing of Object.keys(this.#at)) {
      if (roleOf(thing) === "vessel") this.#contents[thing] ??= [];
    }
    const growth = Object.keys(this.#at).filter((thing) => roleOf(thing) === "plant")
      .map((plant) => [plant, { stage: 0, age: 0 }] as const);
    return {
      room: this.plan.start,
      at: sorted(this.#at),
      open: [...this.plan.open],
      on: [],
      contents: sorted(this.#contents),
      moisture: sorted(this.#moisture),
      growth: Object.fromEntries(growth),
      wires: this.#wires.map(([a, b]): [string, string] => a < b ? [a, b] : [b, a])
        .sort((p, q) => p.join("|") < q.join("|") ? -1 : 1),
      focus: null,
      found: [],
      reached: 0,
      hints: [],
      lost: null,
      pending: [],
    };
  }
}

function sorted<T>(record: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.keys(record).sort().map((key) => [key, record[key]]));
}
