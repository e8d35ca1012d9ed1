import type { LlamaConfig } from "../llama_config.ts";
import { ropeFrequencies } from "../rope_scaling.ts";

/** What depends on the padded length alone. */
export interface PositionTables {
  /** [headGroup·time, time]: 0 where the key is not after the query, else a large negative number. */
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
  const { frequencies, amplitude } = ropeFrequencies(config);
  const half = frequencies.length;
  const cos = new Float32Array(time * half);
  const sin = new Float32Array(time * half);
  for (let t = 0; t < time; t++) {
    for (let i = 0; i < half; i++) {
      const angle = t * frequencies[i];
      cos[t * half + i] = amplitude * Math.cos(angle);
      sin[t * half + i] = amplitude * Math.sin(angle);
    }
  }
  return { mask, cos, sin };
}
