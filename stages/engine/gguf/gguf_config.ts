import { FileError } from "../../errors.ts";
import { families, type FamilyName } from "../families.ts";
import type { GgufHeader } from "./decode_gguf_header.ts";

/** Tensors that hold a scaling of the rotary embedding which the metadata does not state. */
const SCALES = ["rope_freqs.weight", "rope_factors_long.weight", "rope_factors_short.weight"];

/**
 * The `config.json` that a GGUF file stands for, for `parseLlamaConfig` to check.
 *
 * @throws {FileError} naming the file and the key: an unsupported architecture, a
 * scaling of the rotary embedding that only the original config.json states.
 */
export function ggufConfig({ metadata, entries }: GgufHeader, path: string): Record<string, unknown> {
  const fail = (reason: string): never => {
    throw new FileError({ path, reason });
  };
  const family = metadata.get("general.architecture");
  if (typeof family !== "string" || !Object.hasOwn(families, family)) {
    const known = Object.keys(families).join(", ");
    fail(`general.architecture is ${JSON.stringify(family)}, expected one of ${known}`);
  }
  const scale = entries.find(({ name }) => SCALES.includes(name));
  const scaling = metadata.get(`${family}.rope.scaling.type`) ?? "none";
  if (scale !== undefined || scaling !== "none") {
    const found = scale === undefined
      ? `${family}.rope.scaling.type is ${scaling}`
      : `${scale.name} is there`;
    fail(`${found}: put the file as model.gguf beside the original config.json and tokenizer files`);
  }
  const own = (key: string) => metadata.get(`${family}.${key}`);
  const embedding = entries.find(({ name }) => name === "token_embd.weight") ??
    fail("token_embd.weight is missing");
  const fields = {
    architectures: [families[family as FamilyName].architecture],
    model_type: family,
    vocab_size: embedding.shape[0],
    hidden_size: own("embedding_length"),
    intermediate_size: own("feed_forward_length"),
    num_hidden_layers: own("block_count"),
    num_attention_heads: own("attention.head_count"),
    num_key_value_heads: own("attention.head_count_kv"),
    head_dim: own("attention.key_length") ?? own("rope.dimension_count"),
    max_position_embeddings: own("context_length"),
    sliding_window: own("attention.sliding_window"),
    rope_theta: own("rope.freq_base"),
    rms_norm_eps: own("attention.layer_norm_rms_epsilon"),
    tie_word_embeddings: !entries.some(({ name }) => name === "output.weight"),
    hidden_act: "silu",
    bos_token_id: metadata.get("tokenizer.ggml.bos_token_id"),
    eos_token_id: metadata.get("tokenizer.ggml.eos_token_id"),
    dtype: "float32",
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
