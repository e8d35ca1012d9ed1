import type { LlamaConfig } from "../llama_config.ts";
import { ropeFrequencies } from "../rope_scaling.ts";

/** Who sees whom, and where each token stands. */
export interface PositionTables {
  /** [headGroup·time, time]: 0 where a query may look, else a large negative number. */
  readonly mask: Float32Array;
  /** [time, headDim/2]: cosine and sine of position·frequency; see `ropeFrequencies`. */
  readonly cos: Float32Array;
  readonly sin: Float32Array;
}

/** Added to the score of a key that may not be seen; its weight underflows to exactly 0. */
const HIDDEN = -1e9;

/**
 * The causal mask, repeated for the query heads that share a key/value head, and
 * the rotary tables. Padding is at the right, so the causal mask hides it too.
 */
export function positionTables(config: LlamaConfig, time: number): PositionTables {
  const group = config.heads / config.kvHeads;
  const mask = new Float32Array(group * time * time);
  for (let row = 0; row < group * time; row++) {
    mask.fill(HIDDEN, row * time + row % time + 1, (row + 1) * time);
  }
  return { mask, ...rotaryTables(config, Array.from({ length: time }, (_, t) => t)) };
}

/** The same for a tree: a token sees those before it in its row, and stands where it does there. */
export function treeTables(
  config: LlamaConfig,
  { time, slots }: { readonly time: number; readonly slots: readonly Int32Array[] },
): PositionTables {
  const group = config.heads / config.kvHeads;
  const mask = new Float32Array(group * time * time).fill(HIDDEN);
  const positions = new Array<number>(time).fill(-1);
  for (const row of slots) {
    for (let t = 0; t < row.length; t++) {
      if (positions[row[t]] >= 0) continue;
      positions[row[t]] = t;
      for (let u = 0; u <= t; u++) mask[row[t] * time + row[u]] = 0;
    }
  }
  for (let g = 1; g < group; g++) mask.copyWithin(g * time * time, 0, time * time);
  return { mask, ...rotaryTables(config, positions) };
}

function rotaryTables(
  config: LlamaConfig,
  positions: readonly number[],
): Pick<PositionTables, "cos" | "sin"> {
  const { frequencies, amplitude } = ropeFrequencies(config);
  const half = frequencies.length;
  const cos = new Float32Array(positions.length * half);
  const sin = new Float32Array(positions.length * half);
  positions.forEach((position, t) => {
    for (let i = 0; i < half; i++) {
      const angle = position * frequencies[i];
      cos[t * half + i] = amplitude * Math.cos(angle);
      sin[t * half + i] = amplitude * Math.sin(angle);
    }
  });
  return { cos, sin };
}
