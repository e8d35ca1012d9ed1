import { type HouseholdGoal, parseGoal } from "./parse_goal.ts";

/**
 * What an observer of an episode's texts knows: built from the first observation,
 * updated by each (action, observation) pair, and never told the hidden state.
 */
export class Belief {
  readonly goal: HouseholdGoal;
  /** Every receptacle, in the order in which the first observation lists them. */
  readonly receptacles: readonly string[];
  /** Where the agent stands; null in the middle of the room. */
  at: string | null = null;
  /** The object in hand, e.g. `potato 1`. */
  holding: string | null = null;
  /** Receptacles that were looked into → what is in them now, as far as known. */
  readonly contents: Map<string, readonly string[]>;
  readonly closed: Set<string>;
  readonly locked: Set<string>;
  /** Broken appliance → the one that works instead. */
  readonly broken: Map<string, string>;
  /** Object → `hot`, `cool`, `clean`. */
  readonly states: Map<string, ReadonlySet<string>>;
  /** A lamp was turned on while the agent stood at it. */
  lampUsed = false;

  constructor(from: string | Belief) {
    if (typeof from === "string") {
      this.goal = parseGoal(from);
      this.receptacles = listed(
        /Looking quickly around you, you see ([^\n]*?)\.(?:\n|$)/.exec(from)?.[1] ?? "",
      );
      this.contents = new Map();
      this.closed = new Set();
      this.locked = new Set();
      this.broken = new Map();
      this.states = new Map();
      return;
    }
    this.goal = from.goal;
    this.receptacles = from.receptacles;
    this.at = from.at;
    this.holding = from.holding;
    this.contents = new Map(from.contents);
    this.closed = new Set(from.closed);
    this.locked = new Set(from.locked);
    this.broken = new Map(from.broken);
    this.states = new Map(from.states);
    this.lampUsed = from.lampUsed;
  }

  /** A copy that can be updated on its own. */
  clone(): Belief {
    return new Belief(this);
  }

  /** Learns from what an action led to; an answer it does not know changes nothing. */
  update(action: string, observation: string): void {
    const arrived = /^You arrive at (.+?)\. /.exec(observation);
    if (arrived !== null) this.at = arrived[1];
    const shut = /The (\w+ \d+) is closed\.$/.exec(observation);
    if (shut !== null) this.closed.add(shut[1]);
    const inside = /The (\w+ \d+) is open\. In it, you see (.*)\.$/.exec(observation) ??
      /On the (\w+ \d+), you see (.*)\.$/.exec(observation);
    if (inside !== null) {
      this.closed.delete(inside[1]);
      this.contents.set(inside[1], listed(inside[2]));
    }
    const closes = /^You close the (.+)\.$/.exec(observation);
    if (closes !== null) this.closed.add(closes[1]);
    const stuck = /^The (\w+ \d+) is locked\.$/.exec(observation);
    if (stuck !== null) this.locked.add(stuck[1]);
    const broken = /^The (\w+ \d+) is broken\. The (\w+ \d+) works\.$/.exec(observation);
    if (broken !== null) this.broken.set(broken[1], broken[2]);
    const taken = /^You pick up the (\w+ \d+) from the (\w+ \d+)\.$/.exec(observation);
    if (taken !== null) {
      this.holding = taken[1];
      this.contents.set(
        taken[2],
        (this.contents.get(taken[2]) ?? []).filter((object) => object !== taken[1]),
      );
    }
    const moved = /^You move the (\w+ \d+) to the (\w+ \d+)\.$/.exec(observation);
    if (moved !== null) {
      this.holding = null;
      this.contents.set(moved[2], [...this.contents.get(moved[2]) ?? [], moved[1]]);
    }
    const changed = /^You (heat|cool|clean) the (\w+ \d+) using the /.exec(observation);
    if (changed !== null) this.#changeState(changed[2], changed[1]);
    if (/^You turn on the /.test(observation)) this.lampUsed = true;
    void action;
  }

  #changeState(object: string, verb: string): void {
    const states = new Set(this.states.get(object));
    states.add(verb === "heat" ? "hot" : verb);
    if (verb === "heat") states.delete("cool");
    if (verb === "cool") states.delete("hot");
    this.states.set(object, states);
  }

  /** Where `object` was last seen, or null. */
  whereIs(object: string): string | null {
    for (const [receptacle, objects] of this.contents) if (objects.includes(object)) return receptacle;
    return null;
  }

  /** Objects of a type that were seen and lie in a receptacle, in order of discovery. */
  seenOfType(type: string): readonly string[] {
    return [...this.contents.values()].flat().filter((object) => typeOf(object) === type);
  }
}

/** `potato 1` → `potato`. */
export function typeOf(name: string): string {
  return name.replace(/ \d+$/, "");
}

/** `a mug 2, a mug 1, and a pan 1` → its names; `nothing` → none. */
function listed(text: string): readonly string[] {
  return text.split(/, and |, /).flatMap((item) => /^an? (.+)$/.exec(item.trim())?.[1] ?? []);
}
