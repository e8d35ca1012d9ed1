import { type Change, type Goal, readGoal } from "./goal.ts";

/**
 * What an agent can know from the texts alone: where it has looked and what it
 * saw, what is shut, held, hot, cool or clean, and which rules this game breaks.
 */
export class Belief {
  /** Receptacles here: the one gone to, and those that turned out to be at the same place. */
  here: ReadonlySet<string> = new Set();
  /** The thing in hand. */
  held: string | null = null;
  /** Contents of the receptacles looked into, as last seen or changed. */
  readonly contents = new Map<string, string[]>();
  /** Whether an openable receptacle is open; surfaces are in no entry. */
  readonly open = new Map<string, boolean>();
  /** Changes made to things. */
  readonly changes = new Map<string, Set<Change>>();
  /** Receptacles that would not open. */
  readonly locked = new Set<string>();
  /** Broken appliances and what stands in for them. */
  readonly broken = new Map<string, string>();
  /** Lamps that were used. */
  readonly used = new Set<string>();
  /** Commands that were refused since the last one that was accepted. */
  readonly refused = new Set<string>();

  constructor(
    readonly goal: Goal,
    /** Every receptacle of the room, in the order of the first text. */
    readonly receptacles: readonly string[],
  ) {}

  /** The belief after the first observation; null if it holds no task of a known form. */
  static start(observation: string): Belief | null {
    const goal = readGoal(observation);
    const list = /you see ([^.]*)\./.exec(observation)?.[1];
    return goal && list ? new Belief(goal, names(list)) : null;
  }

  clone(): Belief {
    const copy = new Belief(this.goal, this.receptacles);
    copy.here = this.here;
    copy.held = this.held;
    for (const [r, things] of this.contents) copy.contents.set(r, [...things]);
    for (const [r, open] of this.open) copy.open.set(r, open);
    for (const [thing, changes] of this.changes) copy.changes.set(thing, new Set(changes));
    for (const r of this.locked) copy.locked.add(r);
    for (const [r, other] of this.broken) copy.broken.set(r, other);
    for (const lamp of this.used) copy.used.add(lamp);
    for (const command of this.refused) copy.refused.add(command);
    return copy;
  }

  /** Takes in the answer to a command. Texts of no known form change nothing. */
  update(action: string, observation: string): void {
    if (observation === "Nothing happens.") return this.#refuse(action.trim());
    this.refused.clear();
    let m;
    if ((m = /^You arrive at ([^.]+)\. /.exec(observation))) this.here = new Set([m[1]]);
    if ((m = /^You are facing the ([^.]+)\./.exec(observation))) {
      this.here = new Set(m[1].split(/, and |, /));
    }
    if ((m = /^You open the ([^.]+)\./.exec(observation))) this.open.set(m[1], true);
    if ((m = /^You close the ([^.]+)\./.exec(observation))) this.open.set(m[1], false);
    if ((m = /^You pick up the (.+) from the ([^.]+)\./.exec(observation))) this.#take(m[1]);
    if ((m = /^You move the (.+) to the ([^.]+)\./.exec(observation))) this.#put(m[1], m[2]);
    if ((m = /^You (heat|cool|clean) the (.+) using the /.exec(observation))) {
      this.#change(m[1] as Change, m[2]);
    }
    if ((m = /^You turn on the ([^.]+)\./.exec(observation))) this.used.add(m[1]);
    if ((m = /^The (.+) is broken\. The (.+) works\./.exec(observation))) this.broken.set(m[1], m[2]);
    if ((m = /^The (.+) is locked\./.exec(observation))) this.locked.add(m[1]);
    this.#look(observation);
  }

  /** The receptacle in which a thing was last seen, or null. */
  placeOf(thing: string): string | null {
    for (const [r, things] of this.contents) if (things.includes(thing)) return r;
    return null;
  }

  #look(observation: string): void {
    let m;
    if ((m = /The ([a-z]+ \d+) is closed\./.exec(observation))) this.open.set(m[1], false);
    if ((m = /The ([a-z]+ \d+) is open\. In it, you see ([^.]*)\./.exec(observation))) {
      this.open.set(m[1], true);
      this.contents.set(m[1], names(m[2]));
    }
    if ((m = /On the ([a-z]+ \d+), you see ([^.]*)\./.exec(observation))) {
      this.contents.set(m[1], names(m[2]));
    }
  }

  #take(thing: string): void {
    this.#forget(thing);
    this.held = thing;
  }

  #put(thing: string, receptacle: string): void {
    this.#forget(thing);
    this.held = null;
    const things = this.contents.get(receptacle);
    if (things) things.push(thing);
    else this.contents.set(receptacle, [thing]);
  }

  #forget(thing: string): void {
    for (const [r, things] of this.contents) {
      if (things.includes(thing)) this.contents.set(r, things.filter((t) => t !== thing));
    }
  }

  #change(change: Change, thing: string): void {
    const changes = this.changes.get(thing) ?? new Set();
    if (change === "heat") changes.delete("cool");
    if (change === "cool") changes.delete("heat");
    this.changes.set(thing, changes.add(change));
  }

  /** Going nowhere means being there already, what will not open is open, what cannot be taken is not there. */
  #refuse(action: string): void {
    this.refused.add(action);
    let m;
    if ((m = /^go to (.+)$/.exec(action)) && this.receptacles.includes(m[1])) {
      this.here = new Set([...this.here, m[1]]);
    }
    if ((m = /^open (.+)$/.exec(action)) && this.here.has(m[1])) this.open.set(m[1], true);
    if ((m = /^take (.+) from (.+)$/.exec(action)) && this.held === null) this.#forget(m[1]);
  }
}

function names(list: string): string[] {
  return [...list.matchAll(/\ba ([a-z]+ \d+)/g)].map((m) => m[1]);
}
