import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { countdownFormat } from "../../../envs/countdown/format.ts";
import type { PromptFormat, Turn } from "../../../envs/env.ts";
import { callFormat } from "../../../envs/function_call/format.ts";
import { parseCalls } from "../../../envs/function_call/call.ts";
import { mathAnswers } from "../../../envs/math/formats.ts";
import { choiceFormat } from "../../../envs/multiple_choice/format.ts";
import { verifiers } from "../../../envs/verifiers.ts";

const calls = parseCalls('{"name":"f","arguments":{}}');
const gold = { calls: typeof calls === "string" ? [] : calls };
const pairs: Readonly<Record<string, readonly [PromptFormat, (reply: string) => { readonly ok: boolean }]>> =
  {
    countdown: [countdownFormat, (r) => verifiers.countdown(r, { nums: [1, 2], target: 3 })],
    boxed: [mathAnswers.boxed.format, (r) => verifiers.math(r, "1")],
    hashes: [mathAnswers.hashes.format, (r) => verifiers.gsm8k(r, "1")],
    function_call: [callFormat("json"), (r) => verifiers.function_call(r, gold)],
    multiple_choice: [
      choiceFormat,
      (r) => verifiers.multiple_choice(r, { answer: "A", options: ["1", "2"] }),
    ],
  };

const pieces = fc.constantFrom(
  ..."1239AB+-*/=(){}\\ \n$,.",
  "<think>",
  "</think>",
  "<answer>",
  "</answer>",
  "<answer>1+2</answer>",
  "\\boxed{1}",
  "\\boxed{",
  "\\boxed 1",
  "\\fbox{A}",
  "#### 1",
  "####",
  "ANSWER: A",
  "the answer is (A)",
  '{"name":"f","arguments":{}}',
  "<tool_call>",
  "\ud800",
);

for (const [name, [format, verify]] of Object.entries(pairs)) {
  Deno.test(`${name}: the action that is read from a reply gets the reply's verdict`, () => {
    let right = 0;
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        const reply = parts.join("");
        const action = format.action(reply);
        assertEquals(verify(action).ok, verify(reply).ok, reply);
        assertEquals(format.action(action), action);
        if (verify(reply).ok) right++;
      }),
      { numRuns: 3000 },
    );
    assert(right > 0, "no reply was right");
  });

  Deno.test(`${name}: the first message asks the question, says how to answer and carries guidance`, () => {
    const turn: Turn = { observation: "Q?", reward: 0, score: 0, done: false, won: false, truncated: false };
    const first = format.user(turn, 0, "");
    assert(first.startsWith("Q?\n") && first.length > 10);
    assertEquals(format.user(turn, 1, ""), "Q?");
    assertEquals(format.user(turn, 1, "Think."), "Q?\nGuidance: Think.");
  });
}

Deno.test("countdown: an answer with a tag in it is left as it is said", () => {
  for (const reply of ["\\boxed{<answer>1+2}", "\\boxed{9<answer>1+2</answer>}", "\\boxed{1</answer>+2}"]) {
    const action = countdownFormat.action(reply);
    assertEquals(countdownFormat.action(action), action);
    assertEquals(pairs.countdown[1](action).ok, pairs.countdown[1](reply).ok);
  }
});
