/** An exact fraction, not reduced; the denominator is never 0. */
export interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** An arithmetic expression that was read. */
export interface Reading {
  /** The literals in order. */
  readonly numbers: readonly bigint[];
  /** Null if it divides by zero. */
  readonly value: Fraction | null;
}

const deepest = 20;

/**
 * Reads `expr := term (± term)*`, `term := factor (*|/ factor)*`,
 * `factor := INT | ( expr )` and evaluates it in exact fractions. No signs, powers,
 * juxtaposition or leading zeros; brackets nest at most 20 deep. Returns what is
 * wrong as a text.
 */
export function readExpression(text: string): Reading | string {
  const tokens = text.match(/[0-9]+|\S/g) ?? [];
  if (tokens.length === 0) return "no expression";
  const numbers: bigint[] = [];
  let at = 0;
  let fault: string | undefined;
  const fail = (reason: string) => {
    fault ??= reason;
    return null;
  };
  const factor = (depth: number): Fraction | null => {
    const token = tokens[at++];
    if (token === undefined) return fail("the expression ends too early");
    if (token === "(") {
      if (depth >= deepest) return fail(`brackets nest deeper than ${deepest}`);
      const value = sum(depth + 1);
      return tokens[at++] === ")" ? value : fail("a bracket is not closed");
    }
    if (!/^[0-9]+$/.test(token)) return fail(`unexpected ${JSON.stringify(token)}`);
    if (token.length > 1 && token[0] === "0") return fail(`leading zero in ${token}`);
    const numerator = BigInt(token);
    numbers.push(numerator);
    return { numerator, denominator: 1n };
  };
  const product = (depth: number): Fraction | null => {
    let left = factor(depth);
    while (fault === undefined && (tokens[at] === "*" || tokens[at] === "/")) {
      left = combine(tokens[at++], left, factor(depth));
    }
    return left;
  };
  const sum = (depth: number): Fraction | null => {
    let left = product(depth);
    while (fault === undefined && (tokens[at] === "+" || tokens[at] === "-")) {
      left = combine(tokens[at++], left, product(depth));
    }
    return left;
  };
  const value = sum(0);
  if (fault === undefined && at < tokens.length) fail(`unexpected ${JSON.stringify(tokens[at])}`);
  return fault ?? { numbers, value };
}

/** Null once something divided by zero. */
function combine(operator: string, a: Fraction | null, b: Fraction | null): Fraction | null {
  if (a === null || b === null) return null;
  switch (operator) {
    case "*":
      return { numerator: a.numerator * b.numerator, denominator: a.denominator * b.denominator };
    case "/":
      if (b.numerator === 0n) return null;
      return { numerator: a.numerator * b.denominator, denominator: a.denominator * b.numerator };
    default: {
      const sign = operator === "+" ? 1n : -1n;
      return {
        numerator: a.numerator * b.denominator + sign * b.numerator * a.denominator,
        denominator: a.denominator * b.denominator,
      };
    }
  }
}
