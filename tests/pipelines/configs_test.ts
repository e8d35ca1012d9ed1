import { Result } from "effect";
import { assertEquals } from "@std/assert";
import { loadConfig } from "../../stages/config/load_config.ts";

const folder = new URL("../../pipelines/configs/", import.meta.url);
const names = [...Deno.readDirSync(folder)].map(({ name }) => name).sort();

Deno.test("every configuration that ships is valid", () => {
  assertEquals(names.length > 0, true);
  for (const name of names) {
    const yaml = Deno.readTextFileSync(new URL(name, folder));
    const result = loadConfig({ source: name, yaml });
    assertEquals(Result.isFailure(result) ? result.failure.message : "", "");
  }
});

Deno.test("r3l.yaml is the default run", () => {
  const yaml = Deno.readTextFileSync(new URL("r3l.yaml", folder));
  assertEquals(loadConfig({ source: "r3l", yaml }), loadConfig({ source: "r3l" }));
});
