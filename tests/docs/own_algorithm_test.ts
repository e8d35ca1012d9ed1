import { assert, assertEquals, assertStringIncludes } from "@std/assert";

const docs = new URL("../../docs/", import.meta.url);

Deno.test("docs/composing.md shows docs/own_algorithm.ts as it is", () => {
  const script = Deno.readTextFileSync(new URL("own_algorithm.ts", docs));
  assertStringIncludes(Deno.readTextFileSync(new URL("composing.md", docs)), "```ts\n" + script + "```\n");
});

Deno.test("the example of docs/composing.md trains", async () => {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-check", "--allow-read", "--allow-ffi", "--allow-env", "docs/own_algorithm.ts"],
    stdin: "null",
  }).output();
  assertEquals(code, 0, new TextDecoder().decode(stderr));
  const lines = new TextDecoder().decode(stdout).trim().split("\n");
  const rows = lines.map((line, i) => {
    const match = new RegExp(`^step ${i + 1}: mean reward [01]\\.\\d{3}, (\\d+) rows trained$`).exec(line);
    return Number(match?.[1]);
  });
  assertEquals(rows.length, 3);
  // A row trains if its pair's rewards differ: an even number, never all 32 of a step.
  assert(rows.every((n) => n % 2 === 0 && n < 32) && rows.some((n) => n > 0), lines.join("\n"));
});
