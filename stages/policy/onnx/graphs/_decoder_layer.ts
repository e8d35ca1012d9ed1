import { type Family, familyOf } from "../../../engine/families.ts";
import type { LlamaConfig } from "../../../engine/llama_config.ts";
import { llamaParameterShapes } from "../../../engine/llama_parameter_shapes.ts";
import { isAdapted, LORA_A, LORA_B } from "../../../engine/lora.ts";
import { type GraphBuilder, MICROSOFT } from "../../../engine/onnx/graph.ts";
import {
  type StoredMatrix,
  storedMatrix,
  storedProduct,
  storedRows,
} from "../../../engine/onnx/stored_product.ts";
import { fourBitProduct } from "./_four_bit_product.ts";
import type { DecodeConstants } from "./decode_constants.ts";
import { scalesQueries } from "./decode_weights.ts";

/** The residual stream (`sum`, [batch, length, hidden]) with what is still to be added to it, if anything. */
export interface Residual {
  readonly sum: string;
  readonly delta?: string;
}

/** Maps rotated q, k and v [batch, length, heads·headDim] to what the heads attended to, of q's shape. */
export type Attention = (q: string, k: string, v: string) => string;

/** The operators of a Llama decoder, in a graph or in the body of its loop. */
export class DecoderOperators {
  readonly #g: GraphBuilder;
  readonly #c: LlamaConfig;
  readonly #constants: DecodeConstants;
  readonly #family: Family;
  readonly #shapes: ReadonlyMap<string, readonly number[]>;

  constructor(graph: GraphBuilder, config: LlamaConfig, constants: DecodeConstants) {
    this.#g = graph;
    this.#c = config;
    this.#constants = constants;
    this.#family = familyOf(config);
    this.#shapes = llamaParameterShapes(config);
  }

  /** The embedding of token ids [batch, length]. */
  embed(ids: string): Residual {
    const embedding = "model.embed_tokens.weight";
    const stored = this.#stored(embedding);
    if (stored !== undefined) return { sum: storedRows(this.#g, stored, ids) };
    return { sum: this.#g.node("Gather", [embedding, ids], { attributes: { axis: 0 } }) };
  }

  /** One layer: x + attention(norm(x)), then + down(silu(gate(norm(x))) · up(norm(x))). */
  layer(x: Residual, layer: number, positions: string, attend: Attention): Residual {
    const name = (part: string) => `model.layers.${layer}.${part}`;
    const weight = (part: string) => `${name(part)}.weight`;
    const before = this.#norm(x, weight("input_layernorm"));
    const { q, k, v } = this.#projections(before.normed, `model.layers.${layer}.self_attn`);
    const rotate = (value: string) =>
      this.#g.node("RotaryEmbedding", [value, positions, "rope_cos", "rope_sin"], { domain: MICROSOFT });
    const scale = 1 / Math.sqrt(this.#c.headDim);
    const queries = scalesQueries(this.#c) ? this.#g.node("Mul", [q(), this.#g.scalar(scale)]) : q();
    const attended = attend(rotate(queries), rotate(k()), v());
    const middle = this.#norm(
      { sum: before.sum, delta: this.#linear(attended, name("self_attn.o_proj")) },
      weight("post_attention_layernorm"),
    );
    const [gate, up] = this.#gateAndUp(middle.normed, `model.layers.${layer}.mlp`);
    // x·sigmoid(1·x) is silu.
    const silu = this.#g.node("QuickGelu", [gate], {
      domain: MICROSOFT,
      attributes: { alpha: { float: 1 } },
    });
    return {
      sum: middle.sum,
      delta: this.#linear(this.#g.node("Mul", [silu, up]), name("mlp.down_proj")),
    };
  }

  /** Logits [batch, vocab] of a stream of length 1. */
  logits(x: Residual): string {
    const { normed } = this.#norm(x, "model.norm.weight");
    const head = this.#c.tied ? "model.embed_tokens" : "lm_head";
    return this.#g.node("Squeeze", [this.#linear(normed, head), this.#g.int([1])]);
  }

  /** Queries, keys and values before rotation. */
  #projections(x: string, block: string): Record<"q" | "k" | "v", () => string> {
    const { heads, kvHeads, headDim } = this.#c;
    if (this.#family.fused) {
      const all = this.#linear(x, `${block}.qkv_proj`);
      const [q, kv] = [heads * headDim, kvHeads * headDim];
      return {
        q: () => this.#slice(all, 0, q),
        k: () => this.#slice(all, q, q + kv),
        v: () => this.#slice(all, q + kv, q + 2 * kv),
      };
    }
    const project = (part: string) => {
      const y = this.#linear(x, `${block}.${part}_proj`);
      return this.#family.qkvBias ? this.#g.node("Add", [y, `${block}.${part}_proj.bias`]) : y;
    };
    const normed = (part: string, count: number) => {
      const y = project(part);
      if (!this.#family.qkNorm) return y;
      const split = this.#g.node("Reshape", [y, this.#g.int([0, 0, count, headDim])]);
      const { normed } = this.#norm({ sum: split }, `${block}.${part}_norm.weight`);
      return this.#g.node("Reshape", [normed, this.#g.int([0, 0, count * headDim])]);
    };
    return { q: () => normed("q", heads), k: () => normed("k", kvHeads), v: () => project("v") };
  }

  #gateAndUp(x: string, block: string): readonly [string, string] {
    if (!this.#family.fused) {
      return [this.#linear(x, `${block}.gate_proj`), this.#linear(x, `${block}.up_proj`)];
    }
    const width = this.#c.intermediateSize;
    const both = this.#linear(x, `${block}.gate_up_proj`);
    return [this.#slice(both, 0, width), this.#slice(both, width, 2 * width)];
  }

  #slice(x: string, begin: number, end: number): string {
    return this.#g.node("Slice", [x, this.#g.int([begin]), this.#g.int([end]), this.#g.int([2])]);
  }

  /** x·Wᵀ for the weight [out, in] of `layer`, with its adapter if it has one. */
  #linear(x: string, layer: string): string {
    const product = (x: string, weight: string) =>
      this.#g.node("FusedMatMul", [x, weight], { domain: MICROSOFT, attributes: { transB: 1 } });
    const constant = this.#constants.get(`${layer}.weight`);
    const stored = this.#stored(`${layer}.weight`);
    const y = constant?.planes !== undefined
      ? fourBitProduct(this.#g, x, constant)
      : stored !== undefined
      ? storedProduct(this.#g, x, stored, true)
      : product(x, constant?.path ?? `${layer}.weight`);
    if (!isAdapted(this.#c, layer)) return y;
    // B is fed with the adapter's scale in it.
    return this.#g.node("Add", [y, product(product(x, layer + LORA_A), layer + LORA_B)]);
  }

  #stored(name: string): StoredMatrix | undefined {
    return storedMatrix(this.#c, name, this.#shapes.get(name)!);
  }

  /** Adds what is pending to the residual stream and normalises it: x / rms(x) · w. */
  #norm(x: Residual, weight: string): { readonly normed: string; readonly sum: string } {
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
}
