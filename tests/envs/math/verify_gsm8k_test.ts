import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { verifyGsm8k } from "../../../envs/math/verify_gsm8k.ts";
import { hostileReplies, milliseconds, readCases } from "../_cases.ts";

interface Case {
  readonly note: string;
  readonly completion: string;
  readonly gold: string;
  readonly expected: number;
}

for (const { note, completion, gold, expected } of readCases<readonly Case[]>("gsm8k")) {
  Deno.test(`GSM8K case: ${note}`, () => {
    assertEquals(verifyGsm8k(completion, gold).ok, expected === 1);
  });
}

Deno.test("numbers are compared as decimals, in any spelling", () => {
  fc.assert(fc.property(fc.integer({ min: -9_999_999, max: 9_999_999 }), fc.nat(99), (n, cents) => {
    const sign = n < 0 ? "-" : "";
    const grouped = sign + String(Math.abs(n)).replace(/\B(?=(\d{3})+$)/g, ",");
    const fraction = String(cents).padStart(2, "0");
    assert(verifyGsm8k(`#### ${sign}$${Math.abs(n)}.${fraction}0`, `so\n#### ${grouped}.${fraction}`).ok);
    assert(!verifyGsm8k(`#### ${n + 1}`, String(n)).ok);
  }));
});

Deno.test("the gold answer must be a number; a thought does not count", () => {
  assertEquals(verifyGsm8k("#### 1", "one").category, "bad_gold");
  assertEquals(verifyGsm8k("<think>#### 1</think> none", "1").category, "no_answer");
  assertEquals(verifyGsm8k("#### 18x2 = 36", "18").ok, true);
  assertEquals(verifyGsm8k("#### 1.2.3", "1.2").ok, false);
  assertEquals(verifyGsm8k("#### --5", "-5").ok, false);
});

Deno.test("any text gets a verdict within 50 ms", () => {
  for (const reply of hostileReplies) {
    const ms = milliseconds(() => assert(!verifyGsm8k(reply, "18").ok));
    assert(ms < 50, `${ms} ms for ${JSON.stringify(reply.slice(0, 20))}`);
  }
});
