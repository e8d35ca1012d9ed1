import { afterThought } from "../verify/after_thought.ts";
import { boxes } from "../verify/boxes.ts";
import { accept, refuse, type Verdict } from "../verify/verdict.ts";
import { readExpression } from "./expression.ts";

/** A Countdown task: reach `target` from `nums`, each used exactly once. */
export interface CountdownGold {
  readonly nums: readonly number[];
  readonly target: number;
}

/** Why an answer is refused; if several hold, the first that is checked. */
export type CountdownCategory =
  | "no_answer"
  | "too_long"
  | "invalid"
  | "wrong_numbers"
  | "missed_target"
  | "div_zero";

/** Longest answer in characters. */
const longest = 200;
const ascii: Readonly<Record<string, string>> = {
  "×": "*",
  "✕": "*",
  "∗": "*",
  "·": "*",
  "÷": "/",
  "∕": "/",
  "−": "-",
  "–": "-",
};

/**
 * Verifies a Countdown answer in exact fractions: the last complete
 * `<answer>…</answer>` (or the last box) after the thought, one `= target` allowed
 * behind it. The numbers must be the given ones, each once.
 */
export function verifyCountdown(reply: string, gold: CountdownGold): Verdict<CountdownCategory> {
  const found = countdownAnswer(reply);
  if (found === null) return refuse("no_answer", "no complete answer after the thought");
  const answer = found.trim();
  if (answer.length > longest) {
    return refuse("too_long", `${answer.length} characters, at most ${longest}`, answer.slice(0, longest));
  }
  const mapped = answer.replace(/[×✕∗·÷∕−–]/g, (c) => ascii[c]);
  const [left, right, ...more] = mapped.split("=");
  if (more.length > 0 || (right !== undefined && right.trim() !== String(gold.target))) {
    return refuse("invalid", "what follows = is not the target", answer);
  }
  const reading = readExpression(left);
  if (typeof reading === "string") return refuse("invalid", reading, answer);
  if (!sameNumbers(reading.numbers, gold.nums)) {
    return refuse("wrong_numbers", `uses ${reading.numbers}, given are ${gold.nums}`, answer);
  }
  if (reading.value === null) return refuse("div_zero", "divides by zero", answer);
  const { numerator, denominator } = reading.value;
  return numerator === BigInt(gold.target) * denominator
    ? accept(answer)
    : refuse("missed_target", `is ${numerator}/${denominator}, not ${gold.target}`, answer);
}

/** The text of the answer in a reply, or null. */
export function countdownAnswer(reply: string): string | null {
  const rest = afterThought(reply);
  if (rest === null) return null;
  const end = rest.lastIndexOf("</answer>");
  const start = end < 0 ? -1 : rest.lastIndexOf("<answer>", end);
  return start < 0 ? boxes(rest).at(-1)?.content ?? null : rest.slice(start + "<answer>".length, end);
}

function sameNumbers(used: readonly bigint[], given: readonly number[]): boolean {
  if (used.length !== given.length) return false;
  const left = given.map(String);
  return used.every((number) => {
    const at = left.indexOf(String(number));
    if (at < 0) return false;
    left.splice(at, 1);
    return true;
  });
}
