import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { parseReport } from "../../../stages/diagnose/parse_report.ts";
import { reportText } from "../_scripted.ts";

const verdict = (text: string, turns = 5) => {
  const parsed = parseReport(text, turns);
  return "report" in parsed ? parsed.report.retry_from_step : parsed.invalid;
};

Deno.test("a valid report is read, text around the JSON aside", () => {
  assertEquals(verdict(`Well: ${reportText("failure", "try b", 2)} so.`), 2);
  assertEquals(verdict(reportText("success_but_inefficient", "be quick", 0)), 0);
  assertEquals(verdict(reportText("success", null, null)), null);
});

Deno.test("each fault has its own name", () => {
  assertEquals(verdict("no braces"), "no_json");
  assertEquals(verdict("} {"), "no_json");
  assertEquals(verdict("{oops}"), "bad_json");
  assertEquals(verdict('{"trajectory_outcome":"failure"}'), "missing_key");
  assertEquals(verdict(reportText("Failure", "try", 1)), "bad_outcome");
  assertEquals(verdict(reportText("failure", null, 1)), "bad_suggestion");
  assertEquals(verdict(reportText("failure", "  ", 1)), "bad_suggestion");
});

Deno.test("the pivot is converted once: integers and their decimal strings, inside the episode", () => {
  const pivots: readonly (readonly [unknown, number | "bad_pivot"])[] = [
    [0, 0],
    [4, 4],
    ["3", 3],
    [" 3 ", 3],
    [2.0, 2],
    [5, "bad_pivot"],
    [-1, "bad_pivot"],
    [2.7, "bad_pivot"],
    ["2.7", "bad_pivot"],
    [true, "bad_pivot"],
    [null, "bad_pivot"],
    [[1], "bad_pivot"],
    ["1e0", "bad_pivot"],
  ];
  for (const [pivot, expected] of pivots) {
    assertEquals(verdict(reportText("failure", "try", pivot)), expected);
  }
});

Deno.test("reading is total and never gives a pivot outside the episode", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), fc.integer({ min: 0, max: 20 }), (text, turns) => {
    parseReport(text, turns);
  }));
  fc.assert(fc.property(fc.jsonValue(), fc.integer({ min: 0, max: 20 }), (pivot, turns) => {
    const parsed = parseReport(reportText("failure", "try", pivot), turns);
    if (!("report" in parsed)) return;
    const k = parsed.report.retry_from_step!;
    assertEquals(Number.isInteger(k) && k >= 0 && k < turns, true);
  }));
});
