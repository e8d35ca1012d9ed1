import { isHolder, isOpenable, thingTypes } from "../catalog.ts";
import type { Goal } from "../goal.ts";
import type { Phase } from "../substances.ts";
import { agent } from "../world/lab_state.ts";

/** A substance in a vessel as an agent knows it. */
export interface KnownPortion {
  readonly substance: string;
  /** Vessels full of it. */
  readonly units: number;
  readonly phase: Phase;
}

/**
 * What an agent knows of a lab: from the texts alone, or all of it. Plans are made
 * from this and nothing else.
 */
export class Belief {
  room = "";
  /** Parent of each thing that was seen: a room, a holder or the hand. */
  readonly at = new Map<string, string>();
  /** Names of things where they differ from the thing: a plant's. */
  readonly names = new Map<string, string>();
  /** Rooms that were looked at. */
  readonly seen = new Set<string>();
  /** Neighbours of each room looked at, and whether the door is open. */
  readonly doors = new Map<string, Map<string, boolean>>();
  /** Openable things that are open. */
  readonly open = new Set<string>();
  /** Cupboards whose inside was seen. */
  readonly searched = new Set<string>();
  readonly on = new Set<string>();
  readonly wet = new Set<string>();
  readonly contents = new Map<string, readonly KnownPortion[]>();
  readonly wires = new Set<string>();
  /** Broken devices and what stands in for them. */
  readonly broken = new Map<string, string>();
  focus: string | null = null;
  /** What the thermometer said about the target, in degrees. */
  reading: number | null = null;
  /** Whether the light bulb shone with the target in the loop. */
  lit: boolean | null = null;

  constructor(readonly goal: Goal, readonly rooms: readonly string[], readonly teleport: boolean) {}

  /** The room that a thing is in; undefined if it was not seen. The agent's for what it carries. */
  roomOf(thing: string): string | undefined {
    const parent = this.at.get(thing);
    if (parent === undefined || parent === agent) return parent === undefined ? undefined : this.room;
    return this.rooms.includes(parent) ? parent : this.roomOf(parent);
  }

  /** The room of a thing that never moves, by sight or by habit. */
  placeOf(fixture: string): string | undefined {
    const [home] = Object.keys(thingTypes[fixture].homes);
    return this.roomOf(fixture) ?? (this.rooms.includes(home) ? home : undefined);
  }

  /** The closed thing that a thing is in, or null. */
  lid(thing: string): string | null {
    const parent = this.at.get(thing)!;
    const shut = Object.hasOwn(thingTypes, parent) && isOpenable(parent) && !this.open.has(parent);
    return shut ? parent : null;
  }

  isCarried(thing: string): boolean {
    return this.at.get(thing) === agent;
  }

  /** In sight or in hand. */
  inScope(thing: string): boolean {
    return this.at.has(thing) && this.roomOf(thing) === this.room && this.lid(thing) === null;
  }

  nameOf(thing: string): string {
    return this.names.get(thing) ?? thing;
  }

  /** Things seen that are not holders. */
  things(): string[] {
    return [...this.at.keys()].filter((thing) => !isHolder(thing));
  }

  /** Vessels that hold a substance, those in hand or in sight first. */
  vesselsOf(substance: string): string[] {
    const rank = (vessel: string) => (this.isCarried(vessel) ? 0 : this.inScope(vessel) ? 1 : 2);
    return [...this.contents.keys()]
      .filter((vessel) => this.at.has(vessel) && this.portions(vessel).some((p) => p.substance === substance))
      .sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  }

  portions(vessel: string): readonly KnownPortion[] {
    return this.contents.get(vessel) ?? [];
  }

  connected(a: string, b: string): boolean {
    return this.wires.has(pair(a, b));
  }

  /** Takes a thing to another place; its connections are gone. */
  move(thing: string, parent: string): void {
    this.at.set(thing, parent);
    this.disconnect(thing);
  }

  connect(a: string, b: string): void {
    for (const thing of [a, b]) if (this.isCarried(thing)) this.at.set(thing, this.room);
    this.wires.add(pair(a, b));
  }

  disconnect(thing: string): void {
    for (const wire of [...this.wires]) if (wire.split("|").includes(thing)) this.wires.delete(wire);
  }
}

function pair(a: string, b: string): string {
  return a < b ? `${a}|${b}` : `${b}|${a}`;
}
