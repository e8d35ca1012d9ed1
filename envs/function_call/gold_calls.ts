import { type Call, type EqualityOptions, isList, sameValue } from "./call.ts";
import type { StrictJson } from "./strict_json.ts";

/** A call with, for each parameter, the values that are accepted; `""` means that it may be left out. */
export interface AcceptedCall {
  readonly name: string;
  readonly accepted: ReadonlyMap<string, readonly StrictJson[]>;
}

/** A gold call: exact arguments, or lists of accepted ones as in BFCL. */
export type GoldCall = Call | AcceptedCall;

/** What is wrong with `call` compared with `gold`, or null; the names are known to agree. */
export function argumentFault(call: Call, gold: GoldCall, options: EqualityOptions): string | null {
  if ("arguments" in gold) {
    for (const [name, value] of gold.arguments) {
      const given = call.arguments.get(name);
      if (given === undefined) return `${name} is missing`;
      if (!sameValue(given, value, options)) return `${name} is another value`;
    }
  } else {
    for (const [name, values] of gold.accepted) {
      const given = call.arguments.get(name);
      if (given === undefined && !values.includes("")) return `${name} is missing`;
      if (given !== undefined && !values.some((value) => accepts(given, value, options))) {
        return `${name} is none of the accepted values`;
      }
    }
  }
  const known = "arguments" in gold ? gold.arguments : gold.accepted;
  const extra = [...call.arguments.keys()].find((name) => !known.has(name));
  return extra === undefined ? null : `${extra.slice(0, 80)} is no parameter of the gold call`;
}

/** In BFCL an accepted object gives, one level deep, a list of accepted values for each key. */
function accepts(given: StrictJson, value: StrictJson, options: EqualityOptions): boolean {
  if (value instanceof Map && given instanceof Map) {
    const each = [...value as ReadonlyMap<string, StrictJson>];
    return [...given.keys()].every((key) => value.has(key)) &&
      each.every(([key, values]) => {
        const one = given.get(key);
        const choices = isList(values) ? values : [values];
        return one === undefined
          ? choices.includes("")
          : choices.some((v) => accepts(one, v, options) || sameValue(one, v, options));
      });
  }
  if (isList(value) && isList(given) && value.some((item) => item instanceof Map)) {
    return value.length === given.length && value.every((item, i) => accepts(given[i], item, options));
  }
  return sameValue(given, value, options);
}

/**
 * True if calls and gold calls can be paired so that each pair agrees (augmenting
 * paths; for exact gold calls any greedy pairing is as good).
 */
export function matchAll(pairs: readonly (readonly boolean[])[]): boolean {
  const ownerOf = new Map<number, number>();
  const assign = (call: number, seen: Set<number>): boolean =>
    pairs[call].some((agrees, gold) => {
      if (!agrees || seen.has(gold)) return false;
      seen.add(gold);
      const owner = ownerOf.get(gold);
      if (owner !== undefined && !assign(owner, seen)) return false;
      ownerOf.set(gold, call);
      return true;
    });
  return pairs.every((_, call) => assign(call, new Set()));
}
