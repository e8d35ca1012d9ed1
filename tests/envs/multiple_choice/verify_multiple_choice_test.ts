import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { verifyMultipleChoice } from "../../../envs/multiple_choice/verify_multiple_choice.ts";
import { hostileReplies, milliseconds } from "../_cases.ts";

const options = ["the roof", "the floor", "C", "the wall"];
const gold = { answer: "B", options };
const category = (reply: string) => verifyMultipleChoice(reply, gold).category;

Deno.test("spellings of a letter", () => {
  for (
    const b of [
      "B",
      "(B)",
      "B.",
      "B)",
      "\\text{B}",
      "\\text{(B)}",
      "\\mathbf{B}",
      "B) the floor",
      "the floor",
      "$B$",
    ]
  ) {
    assertEquals(category(`so \\boxed{${b}}`), "ok", b);
    assertEquals(category(`so\nANSWER: ${b}`), "ok", b);
  }
  assertEquals(category("I think the answer is (B)."), "ok");
  assertEquals(category("The answer is B because it is low"), "ok");
  assertEquals(category("**Answer:** B"), "ok");
});

Deno.test("what is no single option is unparseable, another option is wrong", () => {
  for (const bad of ["b", "E", "AB", "A, B", "A or B", "", "B) the roof", "roof"]) {
    assertEquals(category(`\\boxed{${bad}}`), "unparseable", bad);
  }
  for (const bad of ["B", "The answer is Bob", "<think>\\boxed{B}</think> hm", "\\boxed{B"]) {
    assertEquals(category(bad), "unparseable", bad);
  }
  assertEquals(category("\\boxed{C}"), "wrong");
  assertEquals(category("\\boxed{B} no \\boxed{A}"), "wrong");
  assertEquals(category("the answer is B. \\boxed{A}"), "wrong");
});

Deno.test("an option text that two options share decides nothing", () => {
  const same = { answer: "A", options: ["x y", "x y", "z w"] };
  assertEquals(verifyMultipleChoice("\\boxed{x y}", same).category, "unparseable");
  assertEquals(verifyMultipleChoice("\\boxed{z w}", same).category, "wrong");
});

Deno.test("any text gets a verdict within 50 ms", () => {
  for (const reply of hostileReplies) {
    const ms = milliseconds(() => assert(!verifyMultipleChoice(reply, gold).ok));
    assert(ms < 50, `${ms} ms for ${JSON.stringify(reply.slice(0, 20))}`);
  }
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => {
    assert(typeof verifyMultipleChoice(`\\boxed{${text}}`, gold).category === "string");
  }));
});
