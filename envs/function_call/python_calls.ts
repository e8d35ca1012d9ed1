import type { Call } from "./call.ts";
import { BigNumber, type StrictJson } from "./strict_json.ts";

const token =
  /\s*(?:([A-Za-z_][\w.]*)|(-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")|([()[\]{},:=])|(\S))/y;
const constants: Readonly<Record<string, StrictJson>> = { True: true, False: false, None: null };
const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r" };
const deepest = 64;

interface Token {
  readonly kind: "name" | "number" | "text" | "mark" | "other" | "end";
  readonly text: string;
}

class Fault extends Error {}

/**
 * Calls in Python's syntax, `[f(a=1), g(b="x")]` or one call: keyword arguments
 * with literal values only. It is read, never run; what is wrong comes as a text.
 */
export function pythonCalls(reply: string): readonly Call[] | string {
  try {
    return new Reader(reply.trim()).calls();
  } catch (error) {
    if (error instanceof Fault) return error.message;
    throw error;
  }
}

class Reader {
  #next: Token;
  #at = 0;

  constructor(readonly text: string) {
    this.#next = this.#read();
  }

  calls(): readonly Call[] {
    const listed = this.#skip("[");
    const calls: Call[] = [];
    if (!(listed && this.#skip("]"))) {
      do calls.push(this.#call()); while (this.#skip(","));
      if (listed) this.#expect("]");
    }
    if (this.#next.kind !== "end") throw new Fault(`text behind the calls: ${this.#next.text}`);
    return calls;
  }

  #call(): Call {
    const name = this.#name();
    const given = new Map<string, StrictJson>();
    this.#expect("(");
    if (this.#skip(")")) return { name, arguments: given };
    do {
      const key = this.#name();
      this.#expect("=");
      if (given.has(key)) throw new Fault(`argument ${key} twice`);
      given.set(key, this.#value(0));
    } while (this.#skip(","));
    this.#expect(")");
    return { name, arguments: given };
  }

  #value(depth: number): StrictJson {
    if (depth > deepest) throw new Fault(`deeper than ${deepest} levels`);
    const { kind, text } = this.#take();
    if (kind === "text") {
      return text.slice(1, -1).replace(/\\(.)/g, (_, c: string) => escapes[c] ?? c);
    }
    if (kind === "number") {
      const value = Number(text);
      const exact = /[.eE]/.test(text) || Number.isSafeInteger(value);
      return exact && Number.isFinite(value) ? value : new BigNumber(text);
    }
    if (kind === "name" && Object.hasOwn(constants, text)) return constants[text];
    if (text === "[" || text === "(") return this.#items(text === "[" ? "]" : ")", depth);
    if (text === "{") return this.#entries(depth);
    throw new Fault(`no literal: ${text}`);
  }

  #items(close: string, depth: number): StrictJson {
    const items: StrictJson[] = [];
    while (!this.#skip(close)) {
      items.push(this.#value(depth + 1));
      if (!this.#skip(",") && this.#next.text !== close) throw new Fault(`no ${close}`);
    }
    return items;
  }

  #entries(depth: number): StrictJson {
    const entries = new Map<string, StrictJson>();
    while (!this.#skip("}")) {
      const key = this.#value(depth + 1);
      if (typeof key !== "string") throw new Fault("a key is no text");
      this.#expect(":");
      if (entries.has(key)) throw new Fault(`key ${key} twice`);
      entries.set(key, this.#value(depth + 1));
      if (!this.#skip(",") && this.#next.text !== "}") throw new Fault("no }");
    }
    return entries;
  }

  #name(): string {
    const { kind, text } = this.#take();
    if (kind !== "name") throw new Fault(`no name: ${text}`);
    return text;
  }

  #expect(mark: string): void {
    if (!this.#skip(mark)) throw new Fault(`expected ${mark}, got ${this.#next.text || "the end"}`);
  }

  #skip(mark: string): boolean {
    if (this.#next.kind !== "mark" || this.#next.text !== mark) return false;
    this.#take();
    return true;
  }

  #take(): Token {
    const taken = this.#next;
    this.#next = this.#read();
    return taken;
  }

  #read(): Token {
    token.lastIndex = this.#at;
    const match = token.exec(this.text);
    if (match === null) return { kind: "end", text: "" };
    this.#at = token.lastIndex;
    const [, name, number, text, mark, other] = match;
    if (name !== undefined) return { kind: "name", text: name };
    if (number !== undefined) return { kind: "number", text: number };
    if (text !== undefined) return { kind: "text", text };
    return mark === undefined ? { kind: "other", text: other } : { kind: "mark", text: mark };
  }
}
