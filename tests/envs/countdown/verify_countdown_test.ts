import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { verifyCountdown } from "../../../envs/countdown/verify_countdown.ts";
import { hostileReplies, milliseconds, readCases } from "../_cases.ts";

interface Case {
  readonly name: string;
  readonly completion: string | { readonly repeat: string };
  readonly nums: readonly number[];
  readonly target: number;
  readonly expected: number;
  readonly category: string;
}

for (
  const { name, completion, nums, target, expected, category } of readCases<readonly Case[]>("countdown")
) {
  Deno.test(`countdown case: ${name}`, () => {
    const reply = typeof completion === "string"
      ? completion
      : `<answer>${"(".repeat(5000)} 25 ${")".repeat(5000)}</answer>`;
    const verdict = verifyCountdown(reply, { nums, target });
    assertEquals([verdict.ok, verdict.category], [expected === 1, category]);
  });
}

/** A random tree over the numbers, with its text and, exactly, its value. */
interface Tree {
  readonly text: string;
  readonly numerator: number;
  readonly denominator: number;
}

const trees = fc.tuple(
  fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 4 }),
  fc.infiniteStream(fc.integer({ min: 0, max: 1000 })),
).map(([nums, draws]) => {
  const draw = () => draws.next().value;
  let forest: Tree[] = nums.map((n) => ({ text: String(n), numerator: n, denominator: 1 }));
  while (forest.length > 1) {
    const [a, b, ...rest] = forest.map((t) => [draw(), t] as const).sort((x, y) => x[0] - y[0]).map(([, t]) =>
      t
    );
    const op = "+-*/"[draw() % 4];
    const [numerator, denominator] = op === "*"
      ? [a.numerator * b.numerator, a.denominator * b.denominator]
      : op === "/"
      ? [a.numerator * b.denominator, a.denominator * b.numerator]
      : [
        a.numerator * b.denominator + (op === "+" ? 1 : -1) * b.numerator * a.denominator,
        a.denominator * b.denominator,
      ];
    forest = [{ text: `(${a.text} ${op} ${b.text})`, numerator, denominator }, ...rest];
  }
  return { nums, tree: forest[0] };
});

Deno.test("a rendered tree is right exactly when its value is the target", () => {
  fc.assert(
    fc.property(trees, fc.integer({ min: 1, max: 60 }), ({ nums, tree }, other) => {
      const { text, numerator, denominator } = tree;
      const whole = denominator !== 0 && Number.isInteger(numerator / denominator);
      const target = whole && other % 2 === 0 ? numerator / denominator : other;
      const verdict = verifyCountdown(`<answer>${text}</answer>`, { nums, target });
      assertEquals(verdict.ok, denominator !== 0 && numerator === target * denominator);
      if (denominator === 0) assertEquals(verdict.category, "div_zero");
      const spaced = text.replaceAll("(", "( (").replaceAll(")", " ) )");
      assertEquals(verifyCountdown(`<answer>${spaced}</answer>`, { nums, target }).ok, verdict.ok);
      const fewer = verifyCountdown(`<answer>${text} + 1</answer>`, { nums, target });
      assertEquals(fewer.category, "wrong_numbers");
      const more = verifyCountdown(`<answer>${text}</answer>`, { nums: [...nums, 7], target });
      assertEquals(more.category, "wrong_numbers");
    }),
    { numRuns: 500 },
  );
});

Deno.test("a tail = target, a box and other signs are read; a thought is not", () => {
  const gold = { nums: [3, 5, 25], target: 60 };
  const category = (reply: string) => verifyCountdown(reply, gold).category;
  assertEquals(category("<answer>(25 – 5) ∗ 3 = 60</answer>"), "ok");
  assertEquals(category("so \\boxed{3 * (25 - 5)}"), "ok");
  assertEquals(category("<answer>(25-5)*3 = 60 = 60</answer>"), "invalid");
  assertEquals(category("<think>hm"), "no_answer");
  assertEquals(category("<think>a</think> <answer>(25-5)*3</answer> <think>more"), "no_answer");
  assertEquals(category("<answer>(２5-5)*3</answer>"), "invalid");
  assertEquals(category("<answer>((25-5)*3</answer>"), "invalid");
  assertEquals(category("<answer>(25-5)*3)</answer>"), "invalid");
});

Deno.test("any text gets a verdict within 50 ms", () => {
  const gold = { nums: [1, 2], target: 3 };
  for (const reply of hostileReplies) {
    const ms = milliseconds(() => assert(!verifyCountdown(reply, gold).ok));
    assert(ms < 50, `${ms} ms for ${JSON.stringify(reply.slice(0, 20))}`);
  }
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => {
    assert(typeof verifyCountdown(`<answer>${text}</answer>`, gold).ok === "boolean");
  }));
});
