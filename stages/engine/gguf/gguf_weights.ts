import type { Gguf } from "./decode_gguf.ts";
import { familyOf } from "../families.ts";
import type { LlamaConfig } from "../llama_config.ts";
import type { StoredTensor } from "../weights.ts";

/** Parts of GGUF names and what Hugging Face calls them. */
const parts: Readonly<Record<string, string>> = {
  attn_norm: "input_layernorm",
  attn_q: "self_attn.q_proj",
  attn_k: "self_attn.k_proj",
  attn_v: "self_attn.v_proj",
  attn_qkv: "self_attn.qkv_proj",
  attn_q_norm: "self_attn.q_norm",
  attn_k_norm: "self_attn.k_norm",
  attn_output: "self_attn.o_proj",
  ffn_norm: "post_attention_layernorm",
  ffn_gate: "mlp.gate_proj",
  ffn_up: "mlp.up_proj",
  ffn_down: "mlp.down_proj",
};

const whole: Readonly<Record<string, string>> = {
  "token_embd.weight": "model.embed_tokens.weight",
  "output_norm.weight": "model.norm.weight",
  "output.weight": "lm_head.weight",
};

/**
 * The tensors of a GGUF file under their Hugging Face names; an unknown one keeps
 * its own. GGUF's `llama` architecture turns neighbouring components of a head
 * instead of those half a head apart, so the rows of its queries and keys are put
 * back in place.
 */
export function ggufWeights(
  { tensors, metadata }: Gguf<StoredTensor>,
  config: LlamaConfig,
): Map<string, StoredTensor> {
  const paired = metadata.get("general.architecture") === "llama";
  const weights = new Map<string, StoredTensor>();
  for (const [name, tensor] of tensors) {
    // Frequencies follow from config.json.
    if (name === "rope_freqs.weight") continue;
    const renamed = rename(name, familyOf(config).fused);
    const turned = paired && /\.attn_[qk]\.(weight|bias)$/.test(name);
    weights.set(renamed, turned ? splitPairs(tensor, config.headDim) : tensor);
  }
  return weights;
}

function rename(name: string, fused: boolean): string {
  const [, layer, part, kind] = /^blk\.(\d+)\.(\w+)\.(weight|bias)$/.exec(name) ?? [];
  if (layer === undefined || !Object.hasOwn(parts, part)) return whole[name] ?? name;
  const place = fused && part === "ffn_up" ? "mlp.gate_up_proj" : parts[part];
  return `model.layers.${layer}.${place}.${kind}`;
}

/** Within each head, rows 0, 2, 4, … come first and rows 1, 3, 5, … after them. */
function splitPairs({ shape, data, blocks }: StoredTensor, headDim: number): StoredTensor {
  const rows = shape[0];
  const turned = { shape, data: splitRows(data, rows, headDim) };
  if (blocks === undefined) return turned;
  const scales = splitRows(blocks.scales, rows, headDim);
  const { minima } = blocks;
  return {
    ...turned,
    blocks: minima === undefined ? { scales } : { scales, minima: splitRows(minima, rows, headDim) },
  };
}

function splitRows<T extends StoredTensor["data"]>(data: T, rows: number, headDim: number): T {
  const width = data.length / rows;
  const out = data.slice() as T;
  for (let row = 0; row < rows; row++) {
    const i = row % headDim;
    const half = headDim / 2;
    const from = row - i + (i < half ? 2 * i : 2 * (i - half) + 1);
    out.set(data.subarray(from * width, (from + 1) * width), row * width);
  }
  return out;
}
