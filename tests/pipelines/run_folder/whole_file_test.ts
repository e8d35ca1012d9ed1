import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { Effect } from "effect";
import { wholeFile } from "../../../pipelines/run_folder/whole_file.ts";
import { writeAtomic } from "../../../pipelines/run_folder/write_atomic.ts";
import { writeFileAtomic } from "../../../stages/engine/write_file_atomic.ts";
import { FileError } from "../../../stages/errors.ts";

async function inFolder(test: (folder: string) => Promise<void>): Promise<void> {
  const folder = Deno.makeTempDirSync();
  try {
    await test(folder);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

const names = (folder: string) => [...Deno.readDirSync(folder)].map(({ name }) => name).sort();

Deno.test("a write that fails leaves the old content and no temporary file", () =>
  inFolder(async (folder) => {
    // A folder that is not empty cannot be replaced by a file.
    Deno.mkdirSync(`${folder}/taken/below`, { recursive: true });
    assertThrows(() => writeAtomic(`${folder}/taken`, "text"));
    const bytes = [new TextEncoder().encode("text")];
    await assertRejects(() => Effect.runPromise(writeFileAtomic(`${folder}/taken`, bytes)), FileError);
    await assertRejects(
      () =>
        Effect.runPromise(Effect.scoped(Effect.gen(function* () {
          const file = yield* wholeFile(`${folder}/taken`);
          yield* file.append(1);
          yield* file.finish;
        }))),
      FileError,
    );
    assertEquals(names(folder), ["taken"]);
  }));

Deno.test("a whole file appears at its end, and a writer that is stopped leaves what was there", () =>
  inFolder(async (folder) => {
    const path = `${folder}/new/rows.jsonl`;
    const write = (values: readonly unknown[], then: Effect.Effect<void, FileError> = Effect.void) =>
      Effect.runPromise(Effect.scoped(Effect.gen(function* () {
        const file = yield* wholeFile(path);
        for (const value of values) yield* file.append(value);
        yield* then;
        yield* file.finish;
      })));
    await write(
      [{ text: "\u2028 \ud800 שלום" }, 2],
      Effect.sync(() => assertEquals(names(`${folder}/new`), ["rows.jsonl.lock", "rows.jsonl.tmp"])),
    );
    const lines = Deno.readTextFileSync(path).trimEnd().split("\n");
    assertEquals(lines.map((line) => JSON.parse(line)), [{ text: "\u2028 \ud800 שלום" }, 2]);
    await assertRejects(() => write([3], Effect.interrupt));
    await assertRejects(() => write([4], Effect.suspend(() => new FileError({ path, reason: "stopped" }))));
    assertEquals(names(`${folder}/new`), ["rows.jsonl"]);
    assertEquals(Deno.readTextFileSync(path).trimEnd().split("\n"), lines);
    const second = () => Effect.promise(() => write([5]));
    await assertRejects(() => write([], Effect.suspend(second)), Error, "another process is writing it");
  }));
