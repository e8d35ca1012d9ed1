import { assertEquals, assertMatch } from "@std/assert";
import { Effect } from "effect";
import { encodeSafetensors } from "../../../stages/engine/encode_safetensors.ts";
import { formatLlamaConfig } from "../../../stages/engine/format_llama_config.ts";
import { parseLlamaConfig } from "../../../stages/engine/parse_llama_config.ts";
import { readLlamaFolder } from "../../../stages/engine/read_llama_folder.ts";
import type { Tensor } from "../../../stages/engine/weights.ts";
import { writeFileAtomic } from "../../../stages/engine/write_file_atomic.ts";
import { tinyConfig, tinyWeights } from "./_tiny.ts";

const json = (): Record<string, unknown> => JSON.parse(formatLlamaConfig(tinyConfig));

async function read(config: string, weights: Map<string, Tensor> | undefined) {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${folder}/config.json`, config);
    if (weights !== undefined) {
      await Effect.runPromise(writeFileAtomic(`${folder}/model.safetensors`, encodeSafetensors(weights)));
    }
    return await Effect.runPromise(Effect.result(readLlamaFolder(folder)));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function fault(config: string, weights: Map<string, Tensor> | undefined): Promise<string> {
  const result = await read(config, weights);
  if (result._tag === "Success") throw new Error("was read");
  assertEquals(result.failure._tag, "FileError");
  return result.failure.message;
}

Deno.test("a folder is read as it was written", async () => {
  for (const tied of [true, false]) {
    const config = { ...tinyConfig, tied };
    const weights = tinyWeights(config);
    const result = await read(formatLlamaConfig(config), weights);
    assertEquals(result._tag === "Success" && result.success, { config, weights });
  }
});

Deno.test("files of other exporters are read: any order, a redundant tied head", async () => {
  const weights = tinyWeights();
  const other = new Map([...weights].reverse());
  other.set("lm_head.weight", weights.get("model.embed_tokens.weight")!);
  const result = await read(formatLlamaConfig(tinyConfig), other);
  assertEquals(result._tag === "Success" && [...result.success.weights], [...weights]);
});

Deno.test("faults of the folder name file and field", async () => {
  const text = formatLlamaConfig(tinyConfig);
  assertMatch(await fault(text, undefined), /model\.safetensors: is missing/);
  assertMatch(await fault("{", tinyWeights()), /config\.json: /);
  const without = tinyWeights();
  without.delete("model.layers.1.mlp.up_proj.weight");
  assertMatch(
    await fault(text, without),
    /model\.safetensors: model\.layers\.1\.mlp\.up_proj\.weight is missing/,
  );
  const extra = tinyWeights().set("model.layers.0.self_attn.q_proj.bias", {
    shape: [1],
    data: Float32Array.of(0),
  });
  assertMatch(await fault(text, extra), /q_proj\.bias is no parameter of this architecture/);
  const wide = JSON.stringify({ ...json(), intermediate_size: 16 });
  assertMatch(
    await fault(wide, tinyWeights()),
    /gate_proj\.weight has shape \[12,8\], config\.json says \[16,8\]/,
  );
});

Deno.test("a configuration's faults name the field and what it holds", () => {
  const reason = (change: Record<string, unknown>) => {
    try {
      parseLlamaConfig({ ...json(), ...change }, "m/config.json");
      return "";
    } catch (error) {
      return (error as Error).message;
    }
  };
  assertEquals(reason({}), "");
  assertMatch(
    reason({ architectures: ["GPT2LMHeadModel"] }),
    /^m\/config\.json: architectures is \["GPT2LMHeadModel"\]/,
  );
  assertMatch(reason({ architectures: undefined }), /architectures is missing/);
  for (
    const field of [
      "vocab_size",
      "hidden_size",
      "intermediate_size",
      "num_hidden_layers",
      "num_attention_heads",
    ]
  ) {
    assertMatch(
      reason({ [field]: undefined }),
      new RegExp(`${field} is missing, expected a positive integer`),
    );
    assertMatch(reason({ [field]: 1.5 }), new RegExp(`${field} is 1.5`));
    assertMatch(reason({ [field]: "8" }), new RegExp(`${field} is "8"`));
  }
  assertMatch(reason({ max_position_embeddings: 0 }), /max_position_embeddings is 0/);
  assertMatch(reason({ rms_norm_eps: undefined }), /rms_norm_eps is missing, expected a positive number/);
  assertMatch(reason({ rope_theta: -1 }), /rope_theta is -1/);
  assertMatch(reason({ num_key_value_heads: 3 }), /num_key_value_heads is 3, expected a divisor/);
  assertMatch(reason({ head_dim: 3 }), /head_dim is 3, expected an even number/);
  assertMatch(reason({ head_dim: undefined, hidden_size: 10 }), /head_dim is missing/);
  assertMatch(reason({ attention_bias: true }), /attention_bias is true, expected false/);
  assertMatch(reason({ hidden_act: "gelu" }), /hidden_act is "gelu"/);
  assertMatch(
    reason({ rope_scaling: { rope_type: "llama3", factor: 8 } }),
    /rope_scaling is \{"rope_type":"llama3"/,
  );
  assertMatch(reason({ tie_word_embeddings: 1 }), /tie_word_embeddings is 1/);
});

Deno.test("fields that have a default may be absent, newer spellings are understood", () => {
  const { num_key_value_heads: _1, head_dim: _2, tie_word_embeddings: _3, rope_theta: _4, ...old } = json();
  assertEquals(parseLlamaConfig(old, "f"), {
    ...tinyConfig,
    kvHeads: 4,
    headDim: 2,
    tied: false,
    ropeTheta: 10000,
  });
  const newer = { ...old, rope_parameters: { rope_type: "default", rope_theta: 500 } };
  assertEquals(parseLlamaConfig(newer, "f").ropeTheta, 500);
});
