import { FileError } from "../errors.ts";
import type { LlamaConfig } from "./llama_config.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads the architecture from a Hugging Face `config.json` (already parsed as
 * JSON). Fields that `LlamaConfig` of transformers gives a default may be absent:
 * `num_key_value_heads`, `head_dim`, `rope_theta`, `tie_word_embeddings`. What
 * would change the computation and is not supported (scaled rotary embeddings,
 * biases, another activation) is refused.
 *
 * @param path Where the JSON came from, for messages.
 * @throws {FileError} naming the file and the field: a foreign architecture, a
 * missing or malformed field, or sizes that do not fit together.
 */
export function parseLlamaConfig(json: unknown, path: string): LlamaConfig {
  if (typeof json !== "object" || json === null || Array.isArray(json)) {
    throw new FileError({ path, reason: "is no JSON object" });
  }
  const fields = json as Fields;
  const fail = (field: string, expected: string): never => {
    const value = fields[field];
    const found = value === undefined ? "is missing" : `is ${JSON.stringify(value)}`;
    throw new FileError({ path, reason: `${field} ${found}, expected ${expected}` });
  };
  const size = (field: string, fallback?: number): number => {
    const value = fields[field] ?? fallback;
    if (!Number.isSafeInteger(value) || (value as number) < 1) fail(field, "a positive integer");
    return value as number;
  };
  const real = (field: string, fallback?: number): number => {
    const value = fields[field] ?? fallback;
    if (typeof value !== "number" || !Number.isFinite(value) || value <= 0) fail(field, "a positive number");
    return value as number;
  };

  const architectures = fields.architectures;
  if (!Array.isArray(architectures) || !architectures.includes("LlamaForCausalLM")) {
    fail("architectures", 'a list with "LlamaForCausalLM"');
  }
  for (const field of ["attention_bias", "mlp_bias"]) {
    if (fields[field] !== undefined && fields[field] !== false) fail(field, "false");
  }
  if ((fields.hidden_act ?? "silu") !== "silu") fail("hidden_act", '"silu"');
  if (!isPlainRope(fields.rope_scaling)) fail("rope_scaling", "null (scaled rotary embeddings are unknown)");
  if (!isPlainRope(fields.rope_parameters)) fail("rope_parameters", 'rope_type "default"');
  const tied = fields.tie_word_embeddings ?? false;
  if (typeof tied !== "boolean") fail("tie_word_embeddings", "true or false");

  const hiddenSize = size("hidden_size");
  const heads = size("num_attention_heads");
  const headDim = size("head_dim", hiddenSize / heads);
  const kvHeads = size("num_key_value_heads", heads);
  if (heads % kvHeads !== 0) fail("num_key_value_heads", `a divisor of num_attention_heads (${heads})`);
  if (headDim % 2 !== 0) fail("head_dim", "an even number");
  // transformers 5 moved rope_theta into rope_parameters.
  const theta = (fields.rope_parameters as Fields | null | undefined)?.rope_theta;
  return {
    vocabSize: size("vocab_size"),
    hiddenSize,
    intermediateSize: size("intermediate_size"),
    layers: size("num_hidden_layers"),
    heads,
    kvHeads,
    headDim,
    maxPositions: size("max_position_embeddings"),
    ropeTheta: real("rope_theta", typeof theta === "number" ? theta : 10000),
    rmsNormEps: real("rms_norm_eps"),
    tied: tied as boolean,
  };
}

function isPlainRope(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value !== "object") return false;
  const type = (value as Fields).rope_type ?? (value as Fields).type ?? "default";
  return type === "default";
}
