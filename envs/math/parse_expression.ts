import { type Expression, type FunctionName, functionNames } from "./expression.ts";
import { decimal, type Rational, rational } from "./rational.ts";

const deepest = 30;
const words: readonly string[] = [...functionNames.slice(0, 16), "pi", "asin", "acos", "atan"]
  .sort((a, b) => b.length - a.length);
const spellings: Readonly<Record<string, FunctionName>> = {
  asin: "arcsin",
  acos: "arccos",
  atan: "arctan",
  lg: "log",
};
const accents = /^\\(?:dot|ddot|hat|bar|vec|tilde|overline|mathbb|mathcal|boldsymbol)$/;
/** Commands that are neither symbols nor functions. */
const foreign =
  /^\\(?:text|angle|triangle|int|sum|prod|lim|max|min|gcd|begin|end|infty|pm|mp|cup|cap|in|quad|ne|neq|to|mod|pmod|equiv|ldots|cdots|dots|langle|rangle|sqrt|frac|binom|left|right)$/;

class Fault extends Error {}

/**
 * The expression that LaTeX or plain text writes, or null if it is none that this
 * reader knows. Juxtaposition multiplies, `1\frac12` and `1 1/2` are mixed numbers,
 * `f(x)` with a single name or number between the brackets is a symbol of its own.
 * At most 30 levels deep.
 */
export function parseExpression(text: string): Expression | null {
  try {
    const reader = new Reader(text);
    const expression = reader.sum(0);
    return reader.rest() === "" ? expression : null;
  } catch (error) {
    if (error instanceof Fault) return null;
    throw error;
  }
}

const number = (value: Rational): Expression => ({ op: "number", value });
const call = (name: FunctionName, ...args: Expression[]): Expression => ({ op: "call", name, args });

class Reader {
  #at = 0;
  #bars = 0;

  constructor(readonly text: string) {}

  rest(): string {
    this.#space();
    return this.text.slice(this.#at);
  }

  sum(depth: number): Expression {
    if (depth > deepest) throw new Fault("too deep");
    let left = this.#product(depth);
    for (;;) {
      const op = this.#take(/[+-]/y);
      if (op === null) return left;
      left = { op: op as "+" | "-", args: [left, this.#product(depth)] };
    }
  }

  #product(depth: number): Expression {
    const sign = this.#take(/[+-]/y);
    if (sign !== null) {
      if (depth > deepest) throw new Fault("too deep");
      const value = this.#product(depth + 1);
      return sign === "+" ? value : { op: "-", args: [number(rational(0n)), value] };
    }
    let left = this.#factor(depth);
    for (;;) {
      if (this.#take(/\*(?!\*)|\\times(?![a-zA-Z])|\\cdot(?![a-zA-Z])/y) !== null) {
        left = { op: "*", args: [left, this.#signed(depth)] };
      } else if (this.#take(/\/|\\div(?![a-zA-Z])/y) !== null) {
        left = { op: "/", args: [left, this.#signed(depth)] };
      } else if (this.#startsFactor()) left = { op: "*", args: [left, this.#factor(depth)] };
      else return left;
    }
  }

  #signed(depth: number): Expression {
    const sign = this.#take(/[+-]/y);
    const value = this.#factor(depth);
    return sign === "-" ? { op: "-", args: [number(rational(0n)), value] } : value;
  }

  #startsFactor(): boolean {
    const next = this.rest();
    if (next.startsWith("|")) return this.#bars === 0;
    if (/^\\(?:rfloor|rceil|right)/.test(next)) return false;
    if (/^\d/.test(next)) return /[)\]]\s*$/.test(this.text.slice(0, this.#at));
    return /^(?:[A-Za-z([{]|\\[A-Za-z]+)/.test(next);
  }

  #factor(depth: number): Expression {
    let base = this.#primary(depth);
    for (;;) {
      if (this.#take(/!/y) !== null) base = call("factorial", base);
      else if (this.#take(/\^|\*\*/y) !== null) base = { op: "^", args: [base, this.#exponent(depth)] };
      else return base;
    }
  }

  #exponent(depth: number): Expression {
    if (depth > deepest) throw new Fault("too deep");
    if (this.rest().startsWith("{")) return this.#group(depth);
    const sign = this.#take(/[+-]/y);
    const value = this.#primary(depth + 1);
    const power: Expression = this.#take(/\^/y) === null
      ? value
      : { op: "^", args: [value, this.#exponent(depth + 1)] };
    return sign === "-" ? { op: "-", args: [number(rational(0n)), power] } : power;
  }

  #primary(depth: number): Expression {
    if (depth > deepest) throw new Fault("too deep");
    const next = this.rest();
    if (/^[\d.]/.test(next)) return this.#number(depth);
    if (next.startsWith("{")) return this.#group(depth);
    if (next.startsWith("(")) return this.#between("(", ")", depth);
    if (next.startsWith("[")) return this.#between("[", "]", depth);
    if (next.startsWith("|")) {
      this.#at++;
      this.#bars++;
      const inner = this.sum(depth + 1);
      this.#bars--;
      this.#expect("|");
      return call("abs", inner);
    }
    const command = this.#take(/\\[A-Za-z]+/y);
    if (command !== null) return this.#command(command, depth);
    const word = words.find((one) => next.startsWith(one)) ?? next[0];
    if (word === undefined || !/^[A-Za-z]/.test(word)) throw new Fault(`unexpected ${next.slice(0, 8)}`);
    this.#at += word.length;
    return word.length > 1 ? this.#command(`\\${word}`, depth) : this.#symbol(word);
  }

  #command(command: string, depth: number): Expression {
    const name = command.slice(1);
    const known = spellings[name] ?? name;
    switch (name) {
      case "pi":
        return { op: "constant", name: "pi" };
      case "frac":
        return { op: "/", args: [this.#argument(depth), this.#argument(depth)] };
      case "binom":
        return call("binom", this.#argument(depth), this.#argument(depth));
      case "sqrt": {
        const degree = this.rest().startsWith("[") ? this.#between("[", "]", depth) : null;
        const inner = this.#argument(depth);
        return degree === null ? call("sqrt", inner) : call("root", inner, degree);
      }
      case "lfloor":
        return call("floor", this.#until("\\rfloor", depth));
      case "lceil":
        return call("ceil", this.#until("\\rceil", depth));
    }
    if ((functionNames as readonly string[]).includes(known)) return this.#call(known as FunctionName, depth);
    if (accents.test(command)) {
      const inner = this.#take(/\s*(?:\{[^{}]*\}|[A-Za-z]|\\[A-Za-z]+)/y);
      if (inner === null) throw new Fault(`nothing under ${command}`);
      return this.#symbol(command + inner.replace(/[{}\s]/g, ""));
    }
    if (foreign.test(command)) throw new Fault(`unexpected ${command}`);
    return this.#symbol(command);
  }

  /** `\sin^2 x`, `\sin 2t`, `\log_2 n`, `\sin^{-1} x`. */
  #call(name: FunctionName, depth: number): Expression {
    if (depth > deepest) throw new Fault("too deep");
    const base = this.#take(/_/y) === null ? null : this.#argument(depth);
    const power = this.#take(/\^/y) === null ? null : this.#exponent(depth + 1);
    let inner: Expression;
    if (/^[({[|]/.test(this.rest())) inner = this.#primary(depth + 1);
    else {
      inner = this.#factor(depth + 1);
      while (
        this.#startsFactor() &&
        !/^(?:\\(?:sin|cos|tan|sec|csc|cot|ln|log|exp)|[([]|sin|cos|tan)/.test(this.rest())
      ) {
        inner = { op: "*", args: [inner, this.#factor(depth + 1)] };
      }
    }
    const isInverse = power?.op === "-" && power.args[1].op === "number" && power.args[1].value.n === 1n &&
      power.args[1].value.d === 1n && ["sin", "cos", "tan"].includes(name);
    if (isInverse) return call(`arc${name}` as FunctionName, inner);
    const value = base === null ? call(name, inner) : call(name, inner, base);
    return power === null ? value : { op: "^", args: [value, power] };
  }

  #symbol(letter: string): Expression {
    const subscript = this.#take(/_\s*(?:\{(?:[^{}]|\{[^{}]*\})*\}|\\[A-Za-z]+|[A-Za-z0-9])/y);
    const prime = this.#take(/(?:'+|\^\s*\{\s*(?:\\prime\s*)+\}|\^\s*\\prime)/y);
    const name = letter + (subscript ?? "").replace(/\\text|[{}\s]/g, "") +
      "'".repeat(prime === null ? 0 : Math.max(1, prime.split(/'|\\prime/).length - 1));
    if (name === "e" || name === "i") return { op: "constant", name };
    const applied = this.#take(/\(\s*(?:[A-Za-z]|\d+|\\[A-Za-z]+)\s*\)/y);
    return { op: "symbol", name: name + (applied ?? "").replace(/\s/g, "") };
  }

  #number(depth: number): Expression {
    const repeating = this.#take(/\d*\.\d*\\overline\s*\{\s*\d+\s*\}/y);
    if (repeating !== null) {
      const [, whole, fixed, period] = /^(\d*)\.(\d*)\\overline\s*\{\s*(\d+)/.exec(repeating)!;
      const nines = BigInt("9".repeat(period.length) + "0".repeat(fixed.length));
      return number(rational(BigInt(whole + fixed + period) - BigInt(whole + fixed || "0"), nines));
    }
    const mixed = this.#take(/\d+\s+\d+\s*\/\s*\d+/y);
    if (mixed !== null) {
      const [whole, n, d] = mixed.split(/\s*\/\s*|\s+/).map(BigInt);
      if (d === 0n) throw new Fault("division by zero");
      return number(rational(whole * d + n, d));
    }
    const literal = this.#take(/(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y);
    const value = literal === null ? null : decimal(literal);
    if (value === null || /^[\d._]/.test(this.rest())) throw new Fault("no number");
    if (/^\d+$/.test(literal!) && /^\\frac\s*(?:\{\s*\d+\s*\}|\d)\s*(?:\{\s*\d+\s*\}|\d)/.test(this.rest())) {
      return { op: "+", args: [number(value), this.#primary(depth + 1)] };
    }
    return number(value);
  }

  /** What a command takes: a group, a bracket, a command, a letter or one digit. */
  #argument(depth: number): Expression {
    if (depth > deepest) throw new Fault("too deep");
    const digit = this.#take(/\d/y);
    return digit === null ? this.#primary(depth + 1) : number(rational(BigInt(digit)));
  }

  #group(depth: number): Expression {
    return this.#between("{", "}", depth);
  }

  #between(open: string, close: string, depth: number): Expression {
    this.#expect(open);
    return this.#until(close, depth);
  }

  #until(close: string, depth: number): Expression {
    const bars = this.#bars;
    this.#bars = 0;
    const inner = this.sum(depth + 1);
    this.#bars = bars;
    this.#expect(close);
    return inner;
  }

  #expect(mark: string): void {
    if (!this.rest().startsWith(mark)) throw new Fault(`no ${mark}`);
    this.#at += mark.length;
  }

  #take(pattern: RegExp): string | null {
    this.#space();
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.text)?.[0] ?? null;
    if (found !== null) this.#at += found.length;
    return found;
  }

  #space(): void {
    while (this.text[this.#at] === " ") this.#at++;
  }
}
