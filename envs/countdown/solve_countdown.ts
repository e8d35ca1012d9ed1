import type { CountdownGold } from "./verify_countdown.ts";

interface Partial {
  readonly text: string;
  readonly n: number;
  readonly d: number;
}

/**
 * An expression that reaches the target with every number once, or null. It joins two
 * of the numbers at a time in all ways; fractions are exact while they fit a double,
 * as they do for up to six numbers below 100.
 */
export function solveCountdown({ nums, target }: CountdownGold): string | null {
  return search(nums.map((n) => ({ text: String(n), n, d: 1 })), target);
}

function search(parts: readonly Partial[], target: number): string | null {
  if (parts.length === 1) return parts[0].n === target * parts[0].d ? parts[0].text : null;
  for (let i = 0; i < parts.length; i++) {
    for (let j = i + 1; j < parts.length; j++) {
      const rest = parts.filter((_, k) => k !== i && k !== j);
      for (const joined of joins(parts[i], parts[j])) {
        const found = search([...rest, joined], target);
        if (found !== null) return found;
      }
    }
  }
  return null;
}

/** Every way of joining two parts. */
export function joins(a: Partial, b: Partial): readonly Partial[] {
  const part = (x: Partial, op: string, y: Partial, n: number, d: number) => ({
    text: `(${x.text} ${op} ${y.text})`,
    n: d < 0 ? -n : n,
    d: Math.abs(d),
  });
  const d = a.d * b.d;
  return [
    part(a, "+", b, a.n * b.d + b.n * a.d, d),
    part(a, "-", b, a.n * b.d - b.n * a.d, d),
    part(b, "-", a, b.n * a.d - a.n * b.d, d),
    part(a, "*", b, a.n * b.n, d),
    ...(b.n === 0 ? [] : [part(a, "/", b, a.n * b.d, a.d * b.n)]),
    ...(a.n === 0 ? [] : [part(b, "/", a, b.n * a.d, b.d * a.n)]),
  ];
}
