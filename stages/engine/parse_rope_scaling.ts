import type { RopeScaling } from "./rope_scaling.ts";

type Fields = Readonly<Record<string, unknown>>;

/** What a `config.json` says about rotary embeddings beyond θ. */
export interface ParsedRope {
  readonly scaling?: RopeScaling;
  /** Contexts longer than this would need other frequencies. */
  readonly maxPositions?: number;
}

/**
 * Reads `rope_scaling` (or `rope_parameters`, its name since transformers 5) of a
 * config.json. `longrope` is read for contexts up to the original length, where
 * its short factors hold.
 *
 * @param fail Reports a fault; does not return.
 */
export function parseRopeScaling(
  fields: Fields,
  headDim: number,
  maxPositions: number,
  fail: (field: string, expected: string) => never,
): ParsedRope {
  const field = fields.rope_scaling === undefined || fields.rope_scaling === null
    ? "rope_parameters"
    : "rope_scaling";
  const value = fields[field];
  if (value === undefined || value === null) return {};
  if (typeof value !== "object") return fail(field, "null or an object");
  const rope = value as Fields;
  const partial = rope.partial_rotary_factor ?? fields.partial_rotary_factor ?? 1;
  if (partial !== 1) fail(field, "partial_rotary_factor 1 (other rotary widths are not supported)");
  const positive = (name: string, found: unknown): number => {
    if (typeof found !== "number" || !Number.isFinite(found) || found <= 0) {
      fail(field, `a positive number as ${name}`);
    }
    return found as number;
  };
  const read = (name: string) => positive(name, rope[name]);
  switch (rope.rope_type ?? rope.type ?? "default") {
    case "default":
      return {};
    case "linear":
      return { scaling: { type: "linear", factor: read("factor") } };
    case "llama3": {
      const [lowFreqFactor, highFreqFactor] = [read("low_freq_factor"), read("high_freq_factor")];
      if (lowFreqFactor >= highFreqFactor) fail(field, "low_freq_factor below high_freq_factor");
      const originalMaxPositions = read("original_max_position_embeddings");
      const factor = read("factor");
      return { scaling: { type: "llama3", factor, lowFreqFactor, highFreqFactor, originalMaxPositions } };
    }
    case "longrope":
    case "su": {
      const original = positive(
        "original_max_position_embeddings",
        rope.original_max_position_embeddings ?? fields.original_max_position_embeddings,
      );
      const factors = rope.short_factor;
      if (!Array.isArray(factors) || factors.length !== headDim / 2) {
        fail(field, `short_factor with ${headDim / 2} numbers`);
      }
      for (const factor of factors as unknown[]) positive("every short_factor", factor);
      const stretch = maxPositions / original;
      const attentionFactor = rope.attention_factor === undefined || rope.attention_factor === null
        ? stretch <= 1 ? 1 : Math.sqrt(1 + Math.log(stretch) / Math.log(original))
        : read("attention_factor");
      return {
        scaling: { type: "longrope", factors: factors as number[], attentionFactor },
        maxPositions: original,
      };
    }
    default:
      return fail(field, "rope_type default, linear, llama3 or longrope");
  }
}
