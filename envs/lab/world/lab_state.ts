import type { Parts } from "../paints.ts";

/** A substance in a vessel. */
export interface Portion {
  readonly substance: string;
  /** Grams. */
  readonly mass: number;
  /** Tenths of a degree Celsius. */
  readonly temperature: number;
  /** Of a paint: grams of red, yellow and blue. */
  readonly parts?: Parts;
}

/** A plant's growth. */
export interface Growth {
  /** Index into `stages`. */
  readonly stage: number;
  /** Ticks since the last stage. */
  readonly age: number;
}

/** All that changes in an episode; plain JSON. A step makes a new one. */
export interface LabState {
  /** Where the agent is. */
  readonly room: string;
  /** Parent of each thing: a room, a holder, or {@link agent}. */
  readonly at: Readonly<Record<string, string>>;
  /** What is open: cupboards, freezers, and doors as `door(a, b)`. */
  readonly open: readonly string[];
  /** Devices that are on. */
  readonly on: readonly string[];
  /** Contents of the vessels. */
  readonly contents: Readonly<Record<string, readonly Portion[]>>;
  /** Grams of water in the soil of each pot. */
  readonly moisture: Readonly<Record<string, number>>;
  readonly growth: Readonly<Record<string, Growth>>;
  /** Connected pairs, each and all in order of code units. */
  readonly wires: readonly (readonly [string, string])[];
  /** What was focused on: a thing or the name of a substance. */
  readonly focus: string | null;
  /** What was found out: `measured` and `tested`. */
  readonly found: readonly string[];
  /** Ordered sub-goals reached, and hints reached by name. */
  readonly reached: number;
  readonly hints: readonly string[];
  /** Why the episode is lost. */
  readonly lost: string | null;
  /** Choices of a question that the last command asked. */
  readonly pending: readonly string[];
}

/** Parent of what the agent carries. */
export const agent = "inventory";

/** The name of the door between two rooms. */
export function door(a: string, b: string): string {
  return a < b ? `${a}|${b}` : `${b}|${a}`;
}

/** With or without an item, in order of code units. */
export function withItem(items: readonly string[], item: string, present: boolean): readonly string[] {
  const rest = items.filter((other) => other !== item);
  return present ? [...rest, item].sort() : rest;
}

/** The same record with one entry changed. */
export function withEntry<T>(record: Readonly<Record<string, T>>, key: string, value: T): Record<string, T> {
  return { ...record, [key]: value };
}
