import { assert, assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { makeProgress } from "../../../pipelines/terminal/progress.ts";
import { wrapMessage } from "../../../pipelines/terminal/wrap_message.ts";

Deno.test("long lines break at spaces, and go on further in", () => {
  const message = "policy: 1 fault(s)\n  policy.path: a/b: is no folder, and not in the cache";
  assertEquals(
    wrapMessage(message, 30),
    "policy: 1 fault(s)\n  policy.path: a/b: is no\n    folder, and not in the\n    cache",
  );
  assertEquals(wrapMessage(message, 80), message);
  assertEquals(wrapMessage(message, Infinity), message);
  assertEquals(wrapMessage("  /a/very/long/path: missing", 10), "  /a/very/long/path:\n    missing");
});

Deno.test("words stay, in order, and only a word alone is longer than the width", () => {
  const word = fc.stringMatching(/^[a-z/.]{1,30}$/);
  const line = fc.tuple(fc.constantFrom("", "  "), fc.array(word, { minLength: 1 }));
  fc.assert(fc.property(fc.array(line, { minLength: 1 }), fc.integer({ min: 8, max: 60 }), (lines, width) => {
    const message = lines.map(([indent, words]) => indent + words.join(" ")).join("\n");
    const found = wrapMessage(message, width);
    const words = (text: string) => text.split(/\s+/).filter((w) => w !== "");
    assertEquals(words(found), words(message));
    for (const part of found.split("\n")) assert(part.length <= width || words(part).length === 1, part);
  }));
});

Deno.test("a note on a terminal is broken to its width, elsewhere it stays one line", () => {
  const note = "Warning: 60% of prompt tokens are unknown; set policy.path to a fitting model";
  const written = (options: object) => {
    let text = "";
    makeProgress("lines", 1, { ...options, write: (part) => text += part }).note(note);
    return text;
  };
  assertEquals(written({ isTerminal: false }), note + "\n");
  assert(written({ width: 40 }).trimEnd().split("\n").every((line) => line.length <= 40));
});
