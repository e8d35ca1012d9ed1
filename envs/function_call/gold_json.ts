import type { Json } from "../env.ts";
import { callsOf, isList } from "./call.ts";
import type { AcceptedCall } from "./gold_calls.ts";
import { JsonFault, type StrictJson, strictJson } from "./strict_json.ts";
import type { FunctionCallGold } from "./verify_function_call.ts";

/** Gold calls as a task holds them: JSON in texts, so that every digit is kept. */
export interface GoldJson {
  /** `[{"name", "arguments"}]`, or BFCL's `[{name: {parameter: [accepted]}}]`. */
  readonly calls: string;
  readonly isAccepted: boolean;
  /** `{tool: {parameter: default}}`, "" for none. */
  readonly defaults: string;
}

const known = new WeakMap<object, FunctionCallGold>();

/** Reads gold calls, or says what is wrong with them. */
export function readGold({ calls, isAccepted, defaults }: GoldJson): FunctionCallGold | string {
  const value = strictJson(calls);
  if (value instanceof JsonFault) return `${value.reason} at ${value.at}`;
  const read = isAccepted ? acceptedOf(value) : callsOf(value);
  if (typeof read === "string") return read;
  const table = defaults === "" ? new Map() : strictJson(defaults);
  if (!(table instanceof Map)) return "the defaults are no object";
  return { calls: read, defaults: table as FunctionCallGold["defaults"] & object };
}

/** The gold calls of a task, read once for each payload. @throws TypeError if it holds none. */
export function goldOf(gold: Json): FunctionCallGold {
  const key = gold as object;
  const found = known.get(key) ?? readGold(gold as unknown as GoldJson);
  if (typeof found === "string") throw new TypeError(`The gold calls cannot be read: ${found}`);
  known.set(key, found);
  return found;
}

/** A reply in plain JSON that is right. */
export function goldReply(gold: GoldJson): string {
  if (!gold.isAccepted) return gold.calls;
  const calls = JSON.parse(gold.calls) as readonly Record<string, Record<string, readonly Json[]>>[];
  return JSON.stringify(calls.map((call) => {
    const [name, parameters] = Object.entries(call)[0];
    const given = Object.entries(parameters).filter(([, values]) => values[0] !== "");
    return { name, arguments: Object.fromEntries(given.map(([key, values]) => [key, first(values[0])])) };
  }));
}

/** Below an accepted object, each key has a list of accepted values of which the first is taken. */
function first(value: Json): Json {
  if (Array.isArray(value)) return value.map((item) => isPlainObject(item) ? first(item) : item);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, values]) => [key, first(Array.isArray(values) ? values[0] : values)])
      .filter(([, one]) => one !== ""),
  );
}

function isPlainObject(value: Json): value is { readonly [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function acceptedOf(value: StrictJson): readonly AcceptedCall[] | string {
  if (!isList(value)) return "the accepted calls are no list";
  const calls: AcceptedCall[] = [];
  for (const item of value) {
    const entry = item instanceof Map && item.size === 1 ? [...item][0] : undefined;
    if (entry === undefined || !(entry[1] instanceof Map)) return "an accepted call is no {name: {...}}";
    const accepted = new Map<string, readonly StrictJson[]>();
    for (const [parameter, values] of entry[1]) {
      if (!isList(values)) return `the accepted values of ${parameter} are no list`;
      if (values.length === 0) return `no value of ${parameter} is accepted`;
      accepted.set(parameter, values);
    }
    calls.push({ name: entry[0], accepted });
  }
  return calls;
}
