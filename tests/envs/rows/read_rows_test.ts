import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { readRows } from "../../../envs/rows/read_rows.ts";
import { text, whole } from "../../../envs/rows/row.ts";
import { FileError } from "../../../stages/errors.ts";

async function withFile<A>(
  content: string | Uint8Array<ArrayBuffer>,
  run: (path: string) => Promise<A>,
): Promise<A> {
  const path = await Deno.makeTempFile({ suffix: ".jsonl" });
  try {
    await Deno.writeFile(path, typeof content === "string" ? new TextEncoder().encode(content) : content);
    return await run(path);
  } finally {
    await Deno.remove(path);
  }
}

const parse = (row: Parameters<typeof text>[0]) => `${text(row, "a")}${whole(row, "n")}`;

Deno.test("JSON lines and a JSON array give the same rows, with or without a final line break", async () => {
  const rows = [{ a: "x", n: 1 }, { a: "y", n: 2 }];
  const lines = rows.map((row) => JSON.stringify(row));
  for (
    const content of [
      lines.join("\n"),
      lines.join("\r\n") + "\n\n",
      JSON.stringify(rows),
      ` \n${JSON.stringify(rows, null, 1)}`,
    ]
  ) {
    assertEquals((await withFile(content, (path) => readRows(path, parse))).rows, ["x1", "y2"]);
  }
});

Deno.test("a line that spans chunks is one row", async () => {
  const long = "é".repeat(200_000);
  const content = `{"a":"${long}","n":1}\n{"a":"b","n":2}`;
  assertEquals((await withFile(content, (path) => readRows(path, parse))).rows, [`${long}1`, "b2"]);
});

Deno.test("an error names file, row and field, for every kind of fault", async () => {
  for (
    const [line, part] of [
      ['{"a":"x"}', "row 2, field n: expected a whole number, got nothing"],
      ['{"a":null,"n":1}', "row 2, field a: expected a text, got null"],
      ['{"a":" ","n":1}', "row 2, field a"],
      ['{"a":"x","n":1.5}', "row 2, field n"],
      ["[1]", "row 2, field (row): expected an object"],
      ['{"a":', "row 2, field (row): not JSON"],
    ]
  ) {
    await withFile(`{"a":"x","n":1}\n${line}\n{"a":"z","n":3}`, async (path) => {
      const error = await assertRejects(() => readRows(path, parse), FileError, part);
      assertStringIncludes(error.message, path);
      const { rows, leftOut } = await readRows(path, parse, 0.4);
      assertEquals([rows, leftOut.length], [["x1", "z3"], 1]);
      await assertRejects(() => readRows(path, parse, 0.3), FileError, "1 of 3 rows");
    });
  }
});

Deno.test("a file that is missing, empty or no text is an error", async () => {
  await assertRejects(() => readRows("/nowhere.jsonl", parse), FileError, "/nowhere.jsonl");
  await withFile("\n", (path) => assertRejects(() => readRows(path, parse), FileError, "no rows"));
  await withFile("[1,", (path) => assertRejects(() => readRows(path, parse), FileError, "not JSON"));
  const bytes = new Uint8Array([0xff, 0xfe, 0x00, 0x0a]);
  await withFile(bytes, (path) => assertRejects(() => readRows(path, parse), FileError, "is not UTF-8"));
});

Deno.test("a file that is not UTF-8 is told, not read with other letters", async () => {
  const latin = Uint8Array.from([
    ...new TextEncoder().encode('{"a":"caf'),
    0xe9,
    ...new TextEncoder().encode('","n":1}\n'),
  ]);
  await withFile(latin, async (path) => {
    const error = await assertRejects(() => readRows(path, parse), FileError);
    assertEquals(error.message, `${path}: is not UTF-8 throughout`);
  });
});

Deno.test("a line of many chunks is read in a time that its length explains", async () => {
  const seconds = async (size: number) => {
    const content = `{"a":"${"x".repeat(size)}","n":1}`;
    return await withFile(content, async (path) => {
      const start = performance.now();
      await readRows(path, parse);
      return performance.now() - start;
    });
  };
  await seconds(2e6);
  // Eight times as long: 64 times the work if every chunk went through what was there before.
  assert(await seconds(16e6) < 30 * await seconds(2e6) + 200);
});
