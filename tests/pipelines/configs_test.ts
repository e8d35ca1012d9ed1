import { Result } from "effect";
import { assert, assertEquals } from "@std/assert";
import { makeComparison } from "../../pipelines/comparison/comparison.ts";
import { loadRunConfig } from "../../pipelines/run/load_run_config.ts";
import { planSizes } from "../../pipelines/planning/plan_sizes.ts";
import { parseLlamaConfig } from "../../stages/engine/parse_llama_config.ts";

const folder = new URL("../../pipelines/configs/", import.meta.url);
const yamlIn = (path: string) =>
  [...Deno.readDirSync(new URL(path, folder))].filter(({ name }) => name.endsWith(".yaml"))
    .map(({ name }) => path + name).sort();
const names = [...yamlIn("./"), ...yamlIn("papers/")];

Deno.test("every configuration that ships is valid", () => {
  assertEquals(names.length > 0, true);
  for (const name of names) {
    const yaml = Deno.readTextFileSync(new URL(name, folder));
    const load = name.includes("compare_") ? makeComparison : loadRunConfig;
    const result: Result.Result<unknown, Error> = load({ source: name, yaml });
    assertEquals(Result.isFailure(result) ? result.failure.message : "", "");
  }
});

Deno.test("r3l.yaml is the default run", () => {
  const yaml = Deno.readTextFileSync(new URL("r3l.yaml", folder));
  assertEquals(loadRunConfig({ source: "r3l", yaml }), loadRunConfig({ source: "r3l" }));
});

Deno.test("a paper's run can be planned from its model's architecture alone", () => {
  const architectures = new Map([
    ["Qwen/Qwen2.5-1.5B-Instruct", "qwen2.5-1.5b-instruct"],
    ["Qwen/Qwen2.5-Math-7B", "qwen2.5-math-7b"],
  ]);
  const planned = yamlIn("papers/").filter((name) => !name.endsWith("_cpu.yaml"));
  for (const name of planned) {
    const yaml = Deno.readTextFileSync(new URL(name, folder));
    const config = Result.getOrThrow(loadRunConfig({ source: name, yaml }));
    const architecture = architectures.get(config.policy.path);
    assert(architecture !== undefined, `${name} names ${config.policy.path}`);
    const path = `fixtures/architectures/${architecture}/config.json`;
    const json = Deno.readTextFileSync(new URL(`../../${path}`, import.meta.url));
    const sizes = planSizes(config, parseLlamaConfig(JSON.parse(json), path));
    assert(
      sizes.parameters > 1.5e9 && sizes.memory.frozen + sizes.memory.trained > 2 * sizes.parameters,
      name,
    );
    // Each names the sibling that a laptop runs.
    const sibling = /CPU-sized sibling: (\S+\.yaml)/.exec(yaml)?.[1];
    assert(
      sibling !== undefined && names.includes(sibling.replace(/^\.\.\//, "./").replace(/^\w/, "papers/$&")),
      name,
    );
  }
  assert(planned.length > 0);
});
