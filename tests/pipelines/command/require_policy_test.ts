import { assertEquals, assertStringIncludes } from "@std/assert";
import { Effect, Result } from "effect";
import { requireModel, requirePolicy } from "../../../pipelines/command/require_policy.ts";
import { smallConfig } from "../_train.ts";

async function fault(require: typeof requirePolicy, path: string): Promise<string | undefined> {
  const result = await Effect.runPromise(Effect.result(require(smallConfig(), "eval.baseline", path)));
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
    assertEquals(await fault(requirePolicy, folder), undefined);
    edit("tokenizer_config.json", { chat_template: undefined });
    const message = await fault(requirePolicy, folder) ?? "";
    assertStringIncludes(message, `${folder}/tokenizer_config.json: `);
    assertStringIncludes(message, "chat_template");
    assertEquals(await fault(requireModel, folder), undefined);
    edit("config.json", { architectures: ["MambaForCausalLM"], model_type: "mamba" });
    for (const require of [requireModel, requirePolicy]) {
      assertStringIncludes(await fault(require, folder) ?? "", "MambaForCausalLM");
    }
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});
