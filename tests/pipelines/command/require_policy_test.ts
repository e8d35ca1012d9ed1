import { assertEquals, assertStringIncludes } from "@std/assert";
import { Effect, Result } from "effect";
import { requireAdaptable, requireModel, requirePolicy } from "../../../pipelines/command/require_policy.ts";
import type { ConfigError } from "../../../stages/errors.ts";
import { smallConfig } from "../_train.ts";

type Require = (key: string, path: string) => Effect.Effect<unknown, ConfigError>;
const requireWriter: Require = (key, path) => requirePolicy(smallConfig(), key, path);

async function fault(require: Require, path: string): Promise<string | undefined> {
  const result = await Effect.runPromise(Effect.result(require("eval.baseline", path)));
  if (Result.isSuccess(result)) return undefined;
  const [{ path: key, message }, ...others] = result.failure.faults;
  assertEquals([key, others], ["eval.baseline", []]);
  return message;
}

Deno.test("a policy needs a family that is known, and a chat template; a model to plan with the first alone", async () => {
  const folder = Deno.makeTempDirSync();
  try {
    for (const { name } of Deno.readDirSync("fixtures/policies/household")) {
      if (name !== "model.safetensors") {
        Deno.copyFileSync(`fixtures/policies/household/${name}`, `${folder}/${name}`);
      }
    }
    const edit = (name: string, change: object) => {
      const file = `${folder}/${name}`;
      Deno.writeTextFileSync(file, JSON.stringify({ ...JSON.parse(Deno.readTextFileSync(file)), ...change }));
    };
    assertEquals(await fault(requireWriter, folder), `${folder}/model.safetensors: is missing`);
    Deno.writeTextFileSync(`${folder}/model.safetensors`, "read later");
    assertEquals(await fault(requireWriter, folder), undefined);
    edit("tokenizer_config.json", { chat_template: undefined });
    const message = await fault(requireWriter, folder) ?? "";
    assertStringIncludes(message, `${folder}/tokenizer_config.json: `);
    assertStringIncludes(message, "chat_template");
    assertEquals(await fault(requireModel, folder), undefined);
    edit("config.json", { architectures: ["MambaForCausalLM"], model_type: "mamba" });
    for (const require of [requireModel, requireWriter]) {
      assertStringIncludes(await fault(require, folder) ?? "", "MambaForCausalLM");
    }
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});

Deno.test("adapters that the model has no layers for are a fault of policy.lora", async () => {
  const check = async (...lora: readonly string[]) => {
    const config = smallConfig(...lora.map((setting) => `policy.lora.${setting}`));
    const result = await Effect.runPromise(Effect.result(requireAdaptable(config)));
    return Result.isSuccess(result) ? [] : result.failure.faults;
  };
  assertEquals(await check("rank=2", "target_modules=[q_proj]"), []);
  const [{ path, message }, ...others] = await check("rank=2", "target_modules=[nope]");
  assertEquals([path, others], ["policy.lora", []]);
  assertStringIncludes(message, "Cannot adapt nope: the model's linear layers are ");
});

Deno.test("a run folder in place of a checkpoint is told the newest one", async () => {
  const folder = Deno.makeTempDirSync();
  try {
    for (const step of [8, 16]) Deno.mkdirSync(`${folder}/checkpoints/step_${step}`, { recursive: true });
    assertEquals(
      await fault(requireModel, folder),
      `${folder} is a run folder; name a checkpoint of it, such as ${folder}/checkpoints/step_16`,
    );
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});

Deno.test("adapters whose base is gone say where they look for it", async () => {
  const folder = Deno.makeTempDirSync();
  try {
    const config = { peft_type: "LORA", r: 2, lora_alpha: 4, target_modules: ["q_proj"] };
    const base = `${folder}/gone`;
    Deno.writeTextFileSync(
      `${folder}/adapter_config.json`,
      JSON.stringify({ ...config, base_model_name_or_path: base }),
    );
    const message = await fault(requireModel, folder) ?? "";
    assertStringIncludes(message, `${folder}/adapter_config.json: base_model_name_or_path is "${base}": `);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});
