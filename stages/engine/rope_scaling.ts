/**
 * How rotary frequencies f_i = θ^(−2i/headDim) are changed for long contexts:
 * - `linear`: f/factor (Chen et al. 2023);
 * - `llama3`: f/factor for wavelengths above originalMaxPositions/lowFreqFactor, f
 *   below originalMaxPositions/highFreqFactor, between them interpolated (Llama 3.1);
 * - `longrope`: f_i/factors[i], and cosine and sine times `attentionFactor`
 *   (Ding et al. 2024).
 */
export type RopeScaling =
  | { readonly type: "linear"; readonly factor: number }
  | {
    readonly type: "llama3";
    readonly factor: number;
    readonly lowFreqFactor: number;
    readonly highFreqFactor: number;
    readonly originalMaxPositions: number;
  }
  | { readonly type: "longrope"; readonly factors: readonly number[]; readonly attentionFactor: number };

/** What rotary tables are made of. */
export interface RopeFrequencies {
  /** Radians per position, [headDim/2]. */
  readonly frequencies: Float64Array;
  /** Factor of cosine and sine. */
  readonly amplitude: number;
}

/** The frequencies of an architecture's rotary embedding. */
export function ropeFrequencies(
  { headDim, ropeTheta, rope }: {
    readonly headDim: number;
    readonly ropeTheta: number;
    readonly rope?: RopeScaling;
  },
): RopeFrequencies {
  const frequencies = Float64Array.from(
    { length: headDim / 2 },
    (_, i) => scale(ropeTheta ** (-2 * i / headDim), i, rope),
  );
  return { frequencies, amplitude: rope?.type === "longrope" ? rope.attentionFactor : 1 };
}

function scale(frequency: number, i: number, rope: RopeScaling | undefined): number {
  switch (rope?.type) {
    case undefined:
      return frequency;
    case "linear":
      return frequency / rope.factor;
    case "longrope":
      return frequency / rope.factors[i];
    case "llama3": {
      const { factor, lowFreqFactor: low, highFreqFactor: high, originalMaxPositions } = rope;
      // Turns within the original context.
      const turns = originalMaxPositions * frequency / (2 * Math.PI);
      if (turns < low) return frequency / factor;
      if (turns > high) return frequency;
      const smooth = (turns - low) / (high - low);
      return frequency * ((1 - smooth) / factor + smooth);
    }
  }
}
