import type { LlamaConfig } from "../../engine/llama_config.ts";
import { type GraphBuilder, MICROSOFT } from "../../engine/onnx/graph.ts";

/** Names of the values of keys and values, each [batch, kvHeads, length, headDim]. */
export interface KeyValue {
  readonly keys: string;
  readonly values: string;
}

/** The residual stream (`sum`, [batch, length, hidden]) with what is still to be added to it, if anything. */
export interface Residual {
  readonly sum: string;
  readonly delta?: string;
}

/** The operators of one Llama layer, in a graph or in the body of its loop. */
export class DecoderOperators {
  readonly #g: GraphBuilder;
  readonly #c: LlamaConfig;

  constructor(graph: GraphBuilder, config: LlamaConfig) {
    this.#g = graph;
    this.#c = config;
  }

  /** x·Wᵀ for a weight [out, in]. */
  linear(x: string, weight: string): string {
    return this.#g.node("FusedMatMul", [x, weight], { domain: MICROSOFT, attributes: { transB: 1 } });
  }

  /** Adds what is pending to the residual stream and normalises it: x / rms(x) · w. */
  norm(x: Residual, weight: string): { readonly normed: string; readonly sum: string } {
    const epsilon = { float: this.#c.rmsNormEps };
    if (x.delta === undefined) {
      const attributes = { axis: -1, epsilon };
      return {
        normed: this.#g.node("SimplifiedLayerNormalization", [x.sum, weight], { attributes }),
        sum: x.sum,
      };
    }
    const [normed, , , sum] = this.#g.nodes("SkipSimplifiedLayerNormalization", [x.sum, x.delta, weight], {
      domain: MICROSOFT,
      attributes: { epsilon },
      outputCount: 4,
    });
    return { normed, sum };
  }

  /** Projects and rotates (RoPE, `rotate_half`): q, k, v as [batch, length, heads·headDim]. */
  project(normed: string, layer: number, positions: string): { q: string; k: string; v: string } {
    const { heads, kvHeads, headDim } = this.#c;
    const g = this.#g;
    const [qk, v] = g.nodes("Split", [
      this.linear(normed, `qkv_${layer}`),
      g.int([(heads + kvHeads) * headDim, kvHeads * headDim]),
    ], { attributes: { axis: 2 }, outputCount: 2 });
    const rotated = g.node("RotaryEmbedding", [qk, positions, "rope_cos", "rope_sin"], {
      domain: MICROSOFT,
      attributes: { interleaved: 0 },
    });
    const [q, k] = g.nodes("Split", [rotated, g.int([heads * headDim, kvHeads * headDim])], {
      attributes: { axis: 2 },
      outputCount: 2,
    });
    return { q, k, v };
  }

  /** q·kᵀ/√headDim for queries [batch, kvHeads, rows, headDim]. */
  scores(q: string, keys: string): string {
    return this.#g.node("FusedMatMul", [q, keys], {
      domain: MICROSOFT,
      attributes: { transB: 1, alpha: { float: 1 / Math.sqrt(this.#c.headDim) } },
    });
  }

  /** SwiGLU: down(silu(gate(x)) · up(x)). */
  mlp(normed: string, layer: number): string {
    const g = this.#g;
    const f = this.#c.intermediateSize;
    const [gate, up] = g.nodes("Split", [this.linear(normed, `gate_up_${layer}`), g.int([f, f])], {
      attributes: { axis: 2 },
      outputCount: 2,
    });
    const silu = g.node("QuickGelu", [gate], { domain: MICROSOFT, attributes: { alpha: { float: 1 } } });
    return this.linear(g.node("Mul", [silu, up]), `down_${layer}`);
  }

  /** One layer around an attention that maps q, k, v to [batch, length, heads·headDim]. */
  layer(
    x: Residual,
    layer: number,
    positions: string,
    attend: (q: string, k: string, v: string) => string,
  ): Residual {
    const before = this.norm(x, `norm1_${layer}`);
    const { q, k, v } = this.project(before.normed, layer, positions);
    const attended = this.linear(attend(q, k, v), `out_${layer}`);
    const middle = this.norm({ sum: before.sum, delta: attended }, `norm2_${layer}`);
    return { sum: middle.sum, delta: this.mlp(middle.normed, layer) };
  }

  /** Logits [batch, vocab] of the last position; the stream must have length 1. */
  logits(x: Residual): string {
    const { normed } = this.norm(x, "norm");
    return this.#g.node("Squeeze", [this.linear(normed, this.#c.tied ? "embed" : "head"), this.#g.int([1])]);
  }
}
