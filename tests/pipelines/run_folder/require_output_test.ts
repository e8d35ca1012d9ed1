import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { Effect, Result } from "effect";
import { requireOutput } from "../../../pipelines/run_folder/require_output.ts";

Deno.test("what is written must be able to become a file or folder, and nothing is made by looking", () => {
  const folder = Deno.makeTempDirSync();
  const fault = (path: string, kind: "file" | "folder") => {
    const result = Effect.runSync(Effect.result(requireOutput("some.key", `${folder}${path}`, kind)));
    if (Result.isSuccess(result)) return undefined;
    const [{ path: key, message }] = result.failure.faults;
    assertEquals(key, "some.key");
    return message.replaceAll(folder, "");
  };
  try {
    Deno.writeTextFileSync(`${folder}/file`, "");
    for (const kind of ["file", "folder"] as const) {
      assertEquals(fault("/new", kind), undefined);
      assertEquals(fault("/new/below/it", kind), undefined);
      assertEquals(fault("/file/below/it", kind), "/file/below/it cannot be made: /file is no folder");
      assertStringIncludes(
        fault(`/${"long".repeat(99)}`, kind) ?? "",
        "cannot be written: File name too long",
      );
    }
    assertEquals(fault("", "file"), " is there and no file");
    assertEquals(fault("", "folder"), undefined);
    assertEquals(fault("/file", "file"), undefined);
    assertEquals(fault("/file", "folder"), "/file is there and no folder");
    assertEquals(fault("/new/", "file"), "/new/ names a folder, not a file");
    assertEquals([...Deno.readDirSync(folder)].map(({ name }) => name), ["file"]);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});

for (
  const [verb, setting] of [
    ["build_negatives", "negatives.out"],
    ["demonstrations", "demonstrations.out"],
    ["merge", "out"],
    ["warm_start", "out"],
  ]
) {
  Deno.test(`${verb} asks whether ${setting} can be written before it does anything`, async () => {
    const folder = Deno.makeTempDirSync();
    try {
      Deno.writeTextFileSync(`${folder}/file`, "");
      const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
        args: [
          ...["run", "--no-check", "--allow-read", "--allow-write", "--allow-ffi", "--allow-env"],
          `pipelines/verbs/${verb}.ts`,
          ...(verb === "merge" ? ["fixtures/policies/household"] : []),
          `${setting}=${folder}/file/below`,
        ],
        stdin: "null",
      }).output();
      const said = new TextDecoder().decode(stderr);
      assertEquals([code, new TextDecoder().decode(stdout)], [2, ""], said);
      assert(
        said.includes(`  ${setting}: ${folder}/file/below cannot be made: ${folder}/file is no folder`),
        said,
      );
    } finally {
      Deno.removeSync(folder, { recursive: true });
    }
  });
}
