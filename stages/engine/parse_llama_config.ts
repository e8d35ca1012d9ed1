import { FileError } from "../errors.ts";
import { families, type FamilyName } from "./families.ts";
import type { LlamaConfig } from "./llama_config.ts";
import { parseRopeScaling } from "./parse_rope_scaling.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Sizes beyond any model there is: a file that claims more is refused before anything is allocated for it. */
const LIMITS: Readonly<Record<string, number>> = {
  num_hidden_layers: 1024,
  max_position_embeddings: 2 ** 24,
  sliding_window: 2 ** 24,
  vocab_size: 2 ** 22,
};
const LARGEST_WIDTH = 2 ** 20;

/**
 * Reads the architecture from a Hugging Face `config.json` (already parsed as
 * JSON). Fields that transformers gives a default may be absent:
 * `num_key_value_heads`, `head_dim`, `rope_theta`, `tie_word_embeddings`. What
 * would change the computation and is not supported (other scalings of the rotary
 * embedding, other biases, another activation) is refused. Where attention slides
 * over a window, the context ends with the first window: up to there nothing slides.
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
    const limit = LIMITS[field] ?? LARGEST_WIDTH;
    if ((value as number) > limit) fail(field, `at most ${limit}`);
    return value as number;
  };
  const real = (field: string, fallback?: number): number => {
    const value = fields[field] ?? fallback;
    if (typeof value !== "number" || !Number.isFinite(value) || value <= 0) fail(field, "a positive number");
    return value as number;
  };

  const names = Object.keys(families) as FamilyName[];
  const { architectures } = fields;
  const family = names.find((name) =>
    Array.isArray(architectures) && architectures.includes(families[name].architecture)
  );
  if (family === undefined) {
    const known = names.map((name) => families[name].architecture).join(", ");
    return fail("architectures", `a list with one of ${known}`);
  }
  for (const field of ["attention_bias", "mlp_bias"]) {
    if (fields[field] !== undefined && fields[field] !== false) fail(field, "false");
  }
  if ((fields.hidden_act ?? "silu") !== "silu") fail("hidden_act", '"silu"');
  const tied = fields.tie_word_embeddings ?? false;
  if (typeof tied !== "boolean") fail("tie_word_embeddings", "true or false");

  const hiddenSize = size("hidden_size");
  const heads = size("num_attention_heads");
  const headDim = size("head_dim", families[family].headDim ?? hiddenSize / heads);
  const kvHeads = size("num_key_value_heads", heads);
  if (heads % kvHeads !== 0) fail("num_key_value_heads", `a divisor of num_attention_heads (${heads})`);
  if (headDim % 2 !== 0) fail("head_dim", "an even number");
  // transformers 5 moved rope_theta into rope_parameters.
  const theta = (fields.rope_parameters as Fields | null | undefined)?.rope_theta;
  const positions = size("max_position_embeddings");
  const rope = parseRopeScaling(fields, headDim, positions, fail);
  const slides = fields.use_sliding_window !== false && typeof fields.sliding_window === "number";
  const window = slides ? size("sliding_window") : Infinity;
  return {
    ...(family !== "llama" && { family }),
    vocabSize: size("vocab_size"),
    hiddenSize,
    intermediateSize: size("intermediate_size"),
    layers: size("num_hidden_layers"),
    heads,
    kvHeads,
    headDim,
    maxPositions: Math.min(positions, rope.maxPositions ?? Infinity, window),
    ropeTheta: real("rope_theta", typeof theta === "number" ? theta : 10000),
    ...(rope.scaling !== undefined && { rope: rope.scaling }),
    rmsNormEps: real("rms_norm_eps"),
    tied: tied as boolean,
  };
}
