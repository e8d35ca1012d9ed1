import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { verifyMath } from "../../../envs/math/verify_math.ts";
import { hostileReplies, milliseconds, readCases } from "../_cases.ts";

interface Case {
  readonly id: number;
  readonly prediction: string;
  readonly gold: string;
  readonly expected: number;
  readonly note: string;
  readonly mode: string;
}

for (const { id, prediction, gold, expected, note, mode } of readCases<readonly Case[]>("math")) {
  Deno.test(`mathematics case ${id}: ${note}`, () => {
    const reply = mode === "full completion" ? prediction : `\\boxed{${prediction}}`;
    const verdict = verifyMath(reply, gold, { percent: true });
    assertEquals(verdict.ok, expected === 1, verdict.reason);
  });
}

const same = (answer: string, gold: string, percent = false) =>
  verifyMath(`\\boxed{${answer}}`, gold, { percent }).ok;

Deno.test("equal values in other spellings", () => {
  for (
    const [answer, gold] of [
      [
        "\\begin{pmatrix} -1/3 \\\\ 2/3 \\end{pmatrix}",
        "\\begin{pmatrix} -\\frac13 \\\\ \\frac23 \\end{pmatrix}",
      ],
      ["2^n(n-2)+1", "(n-2) 2^{n}+1"],
      ["1\\pm\\sqrt{19}", "1+\\sqrt{19}, 1-\\sqrt{19}"],
      ["\\{-2,1-\\sqrt5,1+\\sqrt5\\}", "\\{1\\pm\\sqrt{5},-2\\}"],
      ["52_{8}", "52_8"],
      ["11111111100", "11,\\! 111,\\! 111,\\! 100"],
      ["\\frac{1}{29322216}", "\\frac{1}{29,322,216}"],
      ["864", "864 \\mbox{ inches}^2"],
      ["864 \\text{ inches}^2", "864 \\mbox{ inches}^2"],
      ["-2 \\le x \\le 7", "x \\in [-2,7]"],
      ["7\\ge x\\ge-2", "[-2,7]"],
      ["x > 2", "(2,\\infty)"],
      ["f(x)=2x", "$f(x)=2 x$"],
      ["2x", "$f(x)=2 x$"],
      ["y-2x=3", "y = 2x + 3"],
      ["\\lceil (n-1)/2\\rceil", "\\lfloor n/2 \\rfloor"],
      ["\\frac{(2n)!}{n!^2}", "\\binom{2n}{n}"],
      ["2\\sin t\\cos t", "\\sin(2t)"],
      ["\\frac{\\ln 8}{\\ln 2}", "3"],
      ["e^{i\\pi}", "-1"],
      ["\\sin(\\pi)", "0"],
      ["\\frac{100!}{2^{50}}", "100! \\cdot 2^{-50}"],
      ["4.5e33", "4.5\\times10^{33}"],
      ["\\sqrt[3]{-8}", "-2"],
      ["|3-5|", "2"],
      ["\\text{ellipse}", "Ellipse"],
      ["\\arcsin{1.3 \\sin \\theta_w}", "\\arcsin{1.3 \\sin{\\theta_w}}"],
      ["(3,1),(1,2)", "(1,2), (3,1)"],
      ["0.15", "15\\%"],
      ["\\log_2 8", "3"],
      ["10^{20}+\\sqrt{8}", "10^{20}+2\\sqrt2"],
      ["\\boxed{7}", "7"],
      ["x^2-1=0", "2x^2=2"],
      ["2x > 6", "x>3"],
      ["\\text{13}", "13"],
      ["\\emptyset", "\\{\\}"],
      ["1,000\\text{ m}", "1000"],
    ]
  ) assert(same(answer, gold), `${answer} for ${gold}`);
});

Deno.test("other values in similar spellings", () => {
  for (
    const [answer, gold] of [
      ["10^{20}+\\sqrt{2}", "10^{20}+\\sqrt3"],
      ["10^{-20}", "2\\cdot 10^{-20}"],
      ["0", "I(0)"],
      ["e^{-60}", "0"],
      ["|x|", "x"],
      ["\\sqrt{x^2}", "x"],
      ["x=5", "x"],
      ["52", "52_8"],
      ["(2,4]", "(2,4)"],
      ["[2,4]", "(2,4)"],
      ["1,2,2", "1,1,2"],
      ["1", "1,-2"],
      ["1,-2,3", "1,-2"],
      ["\\{5\\}", "5"],
      ["0.33333", "1/3"],
      ["2.8284", "2\\sqrt2"],
      ["x<3", "x>3"],
      ["x\\le 3", "x<3"],
      ["-2x > 6", "x>3"],
      ["x > 2", "y > 2"],
      ["f(x)=2x", "g(x)=2x"],
      ["x=y", "x=2y"],
      ["1=1", "x=y"],
      ["50\\%", "50"],
      ["5", "5\\%"],
      ["SRAC=LRMC", "SRAC=LRAC"],
      ["\\begin{pmatrix}1\\\\2\\end{pmatrix}", "\\begin{pmatrix}1&2\\end{pmatrix}"],
      ["9^{9^{9^9}}", "1"],
      ["\\frac{0}{0}", "0"],
      ["\\frac{0}{0}", "1"],
      ["\\infty-\\infty", "0"],
      ["-\\infty", "\\infty"],
      ["1000000000!", "1"],
      ["1/0", "\\infty"],
      ["\\text{no}", "\\text{yes}"],
      ["a", "A"],
      ["\\mp 3", "3"],
      ["\u202e5", "5"],
      ["5\u0000", "5"],
      ["7", "\\text{(B)}"],
      ["B", "\\text{(C)}"],
      ["3:5", "5:3"],
      ["3", "n=3k"],
      ["7\\text{ or 8}", "7"],
      ["7\\text{ or eight}", "7"],
      ["7\\text{, no, }8", "7"],
      ["1234567.4", "1234567"],
      ["5 = 6", "5"],
      ["5 \\approx 6", "5"],
    ]
  ) assert(!same(answer, gold), `${answer} for ${gold}`);
});

Deno.test("what is no single answer is refused by its own category", () => {
  const category = (reply: string, gold = "7") => verifyMath(reply, gold).category;
  assertEquals(category("\\boxed{7} and \\boxed{8}"), "several_answers");
  assertEquals(category("\\boxed{8}\n$\\boxed{7}$"), "several_answers");
  assertEquals(category("\\boxed{7} and \\boxed{7}"), "ok");
  assertEquals(category("\\boxed{7"), "no_answer");
  assertEquals(category("<think>\\boxed{7}"), "no_answer");
  assertEquals(category(`\\boxed{${"7+".repeat(300)}7}`), "too_long");
  assertEquals(category("\\boxed{7}", " "), "bad_gold");
  assertEquals(category("\\boxed{7}", "8"), "wrong");
});

Deno.test("any text gets a verdict within 50 ms", () => {
  const deep = [
    "\\frac{1}{",
    "(",
    "\\sqrt{",
    "|",
    "x^{",
    "\\sin ",
    "-",
    "\\{",
    "(1,",
    "\\begin{pmatrix}",
    "1+",
    "x",
  ];
  const bounded = deep.map((part) => `\\boxed{${part.repeat(Math.floor(500 / part.length))}}`);
  for (const reply of [...hostileReplies, ...bounded, "\\boxed{2000!^{9}}", "\\boxed{9999^{9999}}"]) {
    for (const gold of ["18", "x^2+1", "(1,2)", "x=\\sqrt{y}"]) {
      const ms = milliseconds(() => assert(typeof verifyMath(reply, gold).ok === "boolean"));
      assert(ms < 50, `${ms} ms for ${JSON.stringify(reply.slice(0, 40))} against ${gold}`);
    }
  }
  assert(same("\\\\) ", "\\\\) "), "white space at the end, which an extracted answer has not");
  const parts = fc.constantFrom(
    ..."0123456789xyn+-*/^_(){}[]|!.,=<>% ",
    "\\frac",
    "\\sqrt",
    "\\sin",
    "\\pm",
    "\\cup",
    "\\text{",
    "\\{",
    "\\}",
    "\\le",
    "\\infty",
    "\\pi",
    "\ud800",
    "\\\\",
  );
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 40 }), fc.array(parts, { maxLength: 20 }), (a, g) => {
      const text = a.join("");
      assert(typeof verifyMath(`\\boxed{${text}}`, g.join("")).ok === "boolean");
      if (
        text.trim() !== "" && text.length < 100 &&
        verifyMath(`\\boxed{${text}}`, "1").extracted === text.trim()
      ) {
        assert(same(text, text), text);
      }
    }),
    { numRuns: 2000 },
  );
});
