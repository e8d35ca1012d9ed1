import {
  add,
  type Complex,
  complex,
  divide,
  exp,
  log,
  make,
  multiply,
  power,
  size,
  subtract,
} from "./complex.ts";
import type { Expression, FunctionName } from "./expression.ts";
import { gamma } from "./gamma.ts";
import { toNumber } from "./rational.ts";

const i = complex(0, 1);
const one = complex(1);
const half = complex(0.5);

/** The value of an expression where symbols have these values; NaN where it has none. */
export function numericValue(e: Expression, at: ReadonlyMap<string, number>): Complex {
  switch (e.op) {
    case "number":
      return complex(toNumber(e.value));
    case "symbol":
      return complex(at.get(e.name) ?? NaN);
    case "constant":
      return e.name === "i" ? i : complex(e.name === "pi" ? Math.PI : Math.E);
    case "call":
      return ofCall(e.name, e.args.map((arg) => numericValue(arg, at)));
  }
  const [a, b] = [numericValue(e.args[0], at), numericValue(e.args[1], at)];
  switch (e.op) {
    case "+":
      return add(a, b);
    case "-":
      return subtract(a, b);
    case "*":
      return multiply(a, b);
    case "/":
      return divide(a, b);
    case "^":
      return power(a, b);
  }
}

function ofCall(name: FunctionName, [z, w]: readonly Complex[]): Complex {
  switch (name) {
    case "sin":
      return multiply(complex(0, -0.5), subtract(exp(multiply(i, z)), exp(multiply(complex(0, -1), z))));
    case "cos":
      return multiply(half, add(exp(multiply(i, z)), exp(multiply(complex(0, -1), z))));
    case "tan":
      return divide(ofCall("sin", [z]), ofCall("cos", [z]));
    case "cot":
      return divide(ofCall("cos", [z]), ofCall("sin", [z]));
    case "sec":
      return divide(one, ofCall("cos", [z]));
    case "csc":
      return divide(one, ofCall("sin", [z]));
    case "sinh":
      return multiply(half, subtract(exp(z), exp(multiply(complex(-1), z))));
    case "cosh":
      return multiply(half, add(exp(z), exp(multiply(complex(-1), z))));
    case "tanh":
      return divide(ofCall("sinh", [z]), ofCall("cosh", [z]));
    case "arcsin":
      return multiply(complex(0, -1), log(add(multiply(i, z), root(subtract(one, multiply(z, z))))));
    case "arccos":
      return subtract(complex(Math.PI / 2), ofCall("arcsin", [z]));
    case "arctan":
      return multiply(
        complex(0, 0.5),
        subtract(log(subtract(one, multiply(i, z))), log(add(one, multiply(i, z)))),
      );
    case "ln":
      return log(z);
    case "log":
      return divide(log(z), log(w ?? complex(10)));
    case "exp":
      return exp(z);
    case "sqrt":
      return root(z);
    case "root":
      return z.im === 0 && z.re < 0 && Math.abs(w.re % 2) === 1
        ? multiply(complex(-1), power(multiply(complex(-1), z), divide(one, w)))
        : power(z, divide(one, w));
    case "abs":
      return make(size(z), 0, z.error);
    case "floor":
      return z.im === 0 ? step(Math.floor, z) : complex(NaN);
    case "ceil":
      return z.im === 0 ? step(Math.ceil, z) : complex(NaN);
    case "factorial":
      return factorial(z);
    case "binom":
      return divide(factorial(z), multiply(factorial(w), factorial(subtract(z, w))));
  }
}

function root(z: Complex): Complex {
  return z.re === 0 && z.im === 0 ? z : power(z, half);
}

/** A value a rounding error away from a whole number counts as that number. */
function step(round: (x: number) => number, { re, error }: Complex): Complex {
  const near = Math.round(re);
  return complex(Math.abs(re - near) <= 4 * error ? near : round(re));
}

function factorial({ re, im, error }: Complex): Complex {
  const value = im === 0 ? gamma(re + 1) : NaN;
  return make(value, 0, Math.abs(value) * (error * 10 + 1e-13));
}
