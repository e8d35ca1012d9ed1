import { BigNumber, JsonFault, type StrictJson, strictJson } from "./strict_json.ts";

/** One call of a tool. */
export interface Call {
  readonly name: string;
  readonly arguments: ReadonlyMap<string, StrictJson>;
}

/** A call from an object with exactly the keys `name` and `arguments`, or what is wrong with it. */
export function callOf(value: StrictJson, argumentsKey = "arguments"): Call | string {
  if (!(value instanceof Map)) return "a call is no object";
  const name = value.get("name");
  const given = value.get(argumentsKey);
  const extra = [...value.keys()].find((key) => key !== "name" && key !== argumentsKey);
  if (extra !== undefined) return `a call has the key ${JSON.stringify(extra).slice(0, 80)}`;
  if (typeof name !== "string") return "a call has no name";
  if (!(given instanceof Map)) return `${argumentsKey} of ${name.slice(0, 80)} is no object`;
  return { name, arguments: given };
}

/** Every call of a list or of one object. */
export function callsOf(value: StrictJson, argumentsKey = "arguments"): readonly Call[] | string {
  const calls: Call[] = [];
  for (const item of isList(value) ? value : [value]) {
    const call = callOf(item, argumentsKey);
    if (typeof call === "string") return call;
    calls.push(call);
  }
  return calls;
}

/** Calls from a JSON text, or what is wrong with it. */
export function parseCalls(text: string, argumentsKey = "arguments"): readonly Call[] | string {
  const value = strictJson(text);
  return value instanceof JsonFault ? `${value.reason} at ${value.at}` : callsOf(value, argumentsKey);
}

/** True for a JSON array. */
export function isList(value: StrictJson): value is readonly StrictJson[] {
  return Array.isArray(value);
}

/** How values may differ and still be the same; all off by default. */
export interface EqualityOptions {
  /** Compare texts after Unicode NFC. */
  readonly nfc?: boolean;
  /** Compare texts without case. */
  readonly casefold?: boolean;
  /** `"3"` equals `3`. */
  readonly numericStrings?: boolean;
  /** Compare texts as BFCL does: lower case, without space and `, . / - _ * ^`, quotes unified. */
  readonly bfclStrings?: boolean;
}

/** Equality of JSON values: objects unordered, arrays ordered, numbers by value, nothing coerced. */
export function sameValue(a: StrictJson, b: StrictJson, options: EqualityOptions = {}): boolean {
  if (options.numericStrings && typeof a !== typeof b) {
    const [x, y] = [a, b].map((v) => (typeof v === "string" && v.trim() !== "" ? Number(v) : v));
    if (typeof x === "number" && typeof y === "number") return x === y;
  }
  if (typeof a === "string" && typeof b === "string") return textKey(a, options) === textKey(b, options);
  if (a instanceof BigNumber && b instanceof BigNumber) return a.digits === b.digits;
  if (isList(a) && isList(b)) {
    return a.length === b.length && a.every((item, i) => sameValue(item, b[i], options));
  }
  if (a instanceof Map && b instanceof Map) {
    return a.size === b.size && [...a].every(([k, v]) => b.has(k) && sameValue(v, b.get(k)!, options));
  }
  return a === b;
}

function textKey(text: string, { nfc, casefold, bfclStrings }: EqualityOptions): string {
  let key = nfc ? text.normalize("NFC") : text;
  if (casefold || bfclStrings) key = key.toLowerCase();
  return bfclStrings ? key.replace(/[ ,./\-_*^]/g, "").replaceAll("'", '"') : key;
}
