import { Result } from "effect";
import { assertEquals } from "@std/assert";
import { makeComparison } from "../../pipelines/comparison/comparison.ts";
import { loadRunConfig } from "../../pipelines/load_run_config.ts";

const folder = new URL("../../pipelines/configs/", import.meta.url);
const names = [...Deno.readDirSync(folder)].map(({ name }) => name).sort();

Deno.test("every configuration that ships is valid", () => {
  assertEquals(names.length > 0, true);
  for (const name of names) {
    const yaml = Deno.readTextFileSync(new URL(name, folder));
    const load = name.startsWith("compare_") ? makeComparison : loadRunConfig;
    const result: Result.Result<unknown, Error> = load({ source: name, yaml });
    assertEquals(Result.isFailure(result) ? result.failure.message : "", "");
  }
});

Deno.test("r3l.yaml is the default run", () => {
  const yaml = Deno.readTextFileSync(new URL("r3l.yaml", folder));
  assertEquals(loadRunConfig({ source: "r3l", yaml }), loadRunConfig({ source: "r3l" }));
});
