import { assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { printable } from "../../../pipelines/terminal/printable.ts";

Deno.test("a terminal is told of control characters and does not obey them", () => {
  assertEquals(
    printable("row 1:\n\tgr\x1b[2Jün\r\x00 \u202eabc שלום 👩‍👩‍👧"),
    "row 1:\n\tgr\\u{1b}[2Jün\\u{d}\\u{0} \\u{202e}abc שלום 👩‍👩‍👧",
  );
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => {
    const shown = printable(text);
    // deno-lint-ignore no-control-regex
    assertEquals(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/.test(shown), false);
    assertEquals(printable(shown), shown);
  }));
});
