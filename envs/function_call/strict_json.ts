/** A JSON value; objects are Maps, whole numbers that a double cannot hold are {@link BigNumber}s. */
export type StrictJson =
  | null
  | boolean
  | number
  | string
  | BigNumber
  | readonly StrictJson[]
  | ReadonlyMap<string, StrictJson>;

/** A number that a double does not hold exactly, by its digits. */
export class BigNumber {
  constructor(readonly digits: string) {}
}

/** What is wrong with a text, and where. */
export class JsonFault {
  constructor(readonly reason: string, readonly at: number) {}
}

const deepest = 64;
const space = /[ \t\n\r]*/y;
const literal = /true|false|null/y;
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
// deno-lint-ignore no-control-regex
const plain = /[^"\\\u0000-\u001f]*/y;
const values: Readonly<Record<string, StrictJson>> = { true: true, false: false, null: null };
const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

/**
 * Reads one JSON value that fills the text. Stricter than `JSON.parse`: no key
 * twice, at most 64 levels; whole numbers keep every digit. Never throws.
 */
export function strictJson(text: string): StrictJson | JsonFault {
  const { value, end } = jsonPrefix(text, 0);
  if (value instanceof JsonFault || end === text.length) return value;
  return new JsonFault("text behind the value", end);
}

/** Reads the JSON value that starts at `start`; `end` is behind it and the space that follows. */
export function jsonPrefix(
  text: string,
  start: number,
): { readonly value: StrictJson | JsonFault; readonly end: number } {
  const reader = new Reader(text, start);
  const value = reader.value(0);
  return { value: reader.fault ?? value, end: reader.at };
}

class Reader {
  fault: JsonFault | undefined;

  constructor(readonly text: string, public at: number) {
    this.#skip();
  }

  value(depth: number): StrictJson {
    if (depth > deepest) return this.#fail(`deeper than ${deepest} levels`);
    const c = this.text[this.at];
    if (c === "{") return this.#object(depth);
    if (c === "[") return this.#array(depth);
    if (c === '"') return this.#string();
    const word = this.#match(literal);
    if (word !== "") return this.#done(values[word]);
    const digits = this.#match(number);
    return digits === "" ? this.#fail("no JSON value") : this.#done(numberOf(digits));
  }

  #object(depth: number): StrictJson {
    const entries = new Map<string, StrictJson>();
    this.#take();
    if (this.text[this.at] === "}") return this.#take(entries);
    while (this.fault === undefined) {
      if (this.text[this.at] !== '"') return this.#fail("no key");
      const key = this.#string();
      if (this.text[this.at] !== ":") return this.#fail("no colon");
      this.#take();
      if (entries.has(key)) return this.#fail(`key ${JSON.stringify(key)} twice`);
      entries.set(key, this.value(depth + 1));
      if (this.text[this.at] === "}") return this.#take(entries);
      if (this.text[this.at] !== ",") return this.#fail("no comma");
      this.#take();
    }
    return null;
  }

  #array(depth: number): StrictJson {
    const items: StrictJson[] = [];
    this.#take();
    if (this.text[this.at] === "]") return this.#take(items);
    while (this.fault === undefined) {
      items.push(this.value(depth + 1));
      if (this.text[this.at] === "]") return this.#take(items);
      if (this.text[this.at] !== ",") return this.#fail("no comma");
      this.#take();
    }
    return null;
  }

  #string(): string {
    this.at++;
    let out = "";
    while (this.fault === undefined) {
      out += this.#match(plain);
      const c = this.text[this.at++];
      if (c === '"') return this.#done(out);
      const escape = c === "\\" ? this.text[this.at++] : undefined;
      if (escape === "u") {
        const code = this.text.slice(this.at, this.at + 4);
        if (!/^[0-9a-fA-F]{4}$/.test(code)) this.#fail("broken \\u");
        out += String.fromCharCode(parseInt(code, 16));
        this.at += 4;
      } else if (escape !== undefined && Object.hasOwn(escapes, escape)) out += escapes[escape];
      else this.#fail(c === undefined ? "a string is not closed" : "a character that a string cannot hold");
    }
    return "";
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0] ?? "";
    this.at += found.length;
    return found;
  }

  #skip(): void {
    this.#match(space);
  }

  #take<T extends StrictJson>(value: T = null as T): T {
    this.at++;
    return this.#done(value);
  }

  #done<T extends StrictJson>(value: T): T {
    this.#skip();
    return value;
  }

  #fail(reason: string): null {
    this.fault ??= new JsonFault(reason, Math.min(this.at, this.text.length));
    return null;
  }
}

function numberOf(digits: string): number | BigNumber {
  const value = Number(digits);
  const whole = !/[.eE]/.test(digits);
  return !Number.isFinite(value) || (whole && !Number.isSafeInteger(value)) ? new BigNumber(digits) : value;
}
