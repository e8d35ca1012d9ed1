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
    const source = JSON.parse(formatLlamaConfig(config));
    if (result._tag === "Failure") throw result.failure;
    const { base, ...model } = result.success;
    assertEquals(model, { config, weights, source });
    assertEquals(base === undefined, false);
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
  assertMatch(await fault("{", tinyWeights()), /config\.json: is no JSON: /);
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
    /^m\/config\.json: architectures is \["GPT2LMHeadModel"\], expected .* LlamaForCausalLM, Qwen2ForCausalLM, /,
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
    assertMatch(reason({ [field]: 1e12 }), new RegExp(`${field} is 1000000000000, expected at most`));
  }
  assertMatch(reason({ max_position_embeddings: 1e9 }), /max_position_embeddings is .*, expected at most/);
  assertMatch(reason({ max_position_embeddings: 0 }), /max_position_embeddings is 0/);
  assertMatch(reason({ rms_norm_eps: undefined }), /rms_norm_eps is missing, expected a positive number/);
  assertMatch(reason({ rope_theta: -1 }), /rope_theta is -1/);
  assertMatch(reason({ num_key_value_heads: 3 }), /num_key_value_heads is 3, expected a divisor/);
  assertMatch(reason({ head_dim: 3 }), /head_dim is 3, expected an even number/);
  assertMatch(reason({ head_dim: undefined, hidden_size: 10 }), /head_dim is missing/);
  assertMatch(reason({ attention_bias: true }), /attention_bias is true, expected false/);
  assertMatch(reason({ hidden_act: "gelu" }), /hidden_act is "gelu"/);
  assertMatch(
    reason({ rope_scaling: { rope_type: "yarn", factor: 8 } }),
    /rope_scaling is \{"rope_type":"yarn","factor":8\}, expected rope_type default, linear, llama3 or longrope/,
  );
  assertMatch(
    reason({ rope_scaling: { rope_type: "llama3", factor: 8 } }),
    /rope_scaling is .*, expected a positive number as low_freq_factor/,
  );
  assertMatch(
    reason({ rope_scaling: { type: "longrope", short_factor: [1] }, original_max_position_embeddings: 8 }),
    /expected short_factor with 2 numbers/,
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

Deno.test("shards: each tensor where the index places it; faults name the file", async () => {
  const folder = await Deno.makeTempDir();
  const weights = [...tinyWeights()];
  const shards: Record<string, typeof weights> = { a: weights.slice(0, 5), b: weights.slice(5) };
  const map = Object.fromEntries(
    Object.entries(shards).flatMap(([shard, own]) => own.map(([name]) => [name, `${shard}.safetensors`])),
  );
  const put = (file: string, own: typeof weights) =>
    Effect.runPromise(writeFileAtomic(`${folder}/${file}`, encodeSafetensors(new Map(own))));
  const index = (weight_map: unknown) =>
    Deno.writeTextFile(`${folder}/model.safetensors.index.json`, JSON.stringify({ weight_map }));
  const fault = async () => (await Effect.runPromise(Effect.flip(readLlamaFolder(folder)))).message;
  try {
    await Deno.writeTextFile(`${folder}/config.json`, formatLlamaConfig(tinyConfig));
    await index(map);
    await put("a.safetensors", shards.a);
    assertMatch(await fault(), /\/b\.safetensors: is missing/);
    await put("b.safetensors", shards.b);
    assertEquals((await Effect.runPromise(readLlamaFolder(folder))).weights, new Map(weights));
    await put("b.safetensors", shards.b.slice(1));
    assertMatch(await fault(), new RegExp(`/b\\.safetensors: ${weights[5][0]} is missing`));
    await index({ ...map, "model.norm.weight": "../b.safetensors" });
    assertMatch(await fault(), /index\.json: weight_map: model\.norm\.weight is in "\.\.\/b\.safetensors"/);
    await index([]);
    assertMatch(await fault(), /index\.json: weight_map is no map/);
    await index({ "model.norm.weight": "a.safetensors" });
    assertMatch(await fault(), /a\.safetensors: model\.norm\.weight is missing/);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("the context ends where attention would begin to slide", () => {
  const positions = (change: Record<string, unknown>) =>
    parseLlamaConfig({ ...json(), ...change }, "f").maxPositions;
  assertEquals(positions({ sliding_window: 20 }), 20);
  assertEquals(positions({ sliding_window: 20, use_sliding_window: false }), 32);
  assertEquals(positions({ sliding_window: null, use_sliding_window: true }), 32);
});
