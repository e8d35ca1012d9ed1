import type { LlamaConfig } from "../../stages/engine/llama_config.ts";
import { llamaParameterShapes } from "../../stages/engine/llama_parameter_shapes.ts";
import { isAdapterName } from "../../stages/engine/lora.ts";
import { WIDENED_AT_ONCE } from "../../stages/engine/onnx/stored_product.ts";
import { storedBytes, storedType } from "../../stages/engine/stored_type.ts";
import { packedMatrices } from "../../stages/policy/onnx/graphs/decode_constants.ts";
import { fourBitBytes } from "../../stages/policy/onnx/graphs/four_bits.ts";
import { sizeOf } from "../../stages/engine/size_of.ts";

/** What the memory of a run depends on, besides the architecture with its adapters. */
export interface MemoryLoad {
  /** Tokens of a micro-batch, and of its longest row. */
  readonly tokens: number;
  readonly time: number;
  /** Positions whose logits exist at once. */
  readonly head: number;
  readonly recompute: boolean;
  /** Sequences that are decoded together, all whose cache is held, and tokens of each. */
  readonly decoding: {
    readonly rows: number;
    readonly sequences: number;
    readonly tokens: number;
    /** Whether a large model's matrices are held packed too. By default if anything is decoded. */
    readonly packed?: boolean;
    /** Batches side by side, each with weights of its own. Default 1. */
    readonly lanes?: number;
  };
}

/** Bytes that a run needs at its peak, part by part. */
export interface MemoryPlan {
  /** Parameters that are not trained, once: engine, sampler and reference share them. */
  readonly frozen: number;
  /** Those that are: weights, behaviour copy, gradient and two moments in float32. */
  readonly trained: number;
  /** Matrices held again, packed for sampling. */
  readonly packed: number;
  /** Keys and values: the caches, and packed for a batch of sequences; the weights of further lanes. */
  readonly cache: number;
  /** What the backward pass of a micro-batch keeps. */
  readonly activations: number;
  /** Logits and what is derived from them; two forms of the part of a frozen matrix that is widened to float32. */
  readonly head: number;
  /** The process with its sessions, whatever the model. */
  readonly runtime: number;
  readonly total: number;
}

const FLOAT = 4;
/** Deno with the code, and ONNX Runtime with two sessions, as measured. */
const RUNTIME = 240e6;
/** Logits, their logarithm and exponential, and two forms of their gradient. */
const HEAD_COPIES = 5;

/** Predicts the memory of a run. Without adapters, everything is trained. */
export function planMemory(model: LlamaConfig, load: MemoryLoad): MemoryPlan {
  let frozen = 0, trained = 0, widest = 0;
  for (const [name, shape] of llamaParameterShapes(model)) {
    const size = sizeOf(shape);
    if (model.lora === undefined || isAdapterName(name)) trained += 5 * FLOAT * size;
    else {
      const type = storedType(model, name, shape);
      frozen += storedBytes(type, shape);
      if (type !== "float32") widest = Math.max(widest, 2 * FLOAT * Math.min(size, WIDENED_AT_ONCE));
    }
  }
  const { rows, sequences, tokens, packed = sequences > 0, lanes = 1 } = load.decoding;
  const perToken = 2 * FLOAT * model.layers * model.kvHeads * model.headDim;
  const plan = {
    frozen,
    trained,
    packed: packed ? lanes * packedBytes(model) : 0,
    // The first lane's weights are in the sums above.
    cache: (sequences + 2 * rows * lanes) * tokens * perToken + (lanes - 1) * (frozen + trained / 5),
    activations: FLOAT * load.tokens * floatsPerToken(model, load),
    head: HEAD_COPIES * FLOAT * load.head * model.vocabSize + widest,
    runtime: RUNTIME,
  };
  return { ...plan, total: Object.values(plan).reduce((a, b) => a + b, 0) };
}

/** Of matrices in 8 bits, that all bits are used: a file's own 4 bits take half. */
function packedBytes(model: LlamaConfig): number {
  const shapes = llamaParameterShapes(model);
  return packedMatrices(model).reduce((bytes, name) => {
    const shape = shapes.get(name)!;
    const type = storedType(model, name, shape);
    return bytes + (type === "float32" ? storedBytes(type, shape) : fourBitBytes(shape, type === "uint8"));
  }, 0);
}

/**
 * What is kept for one token: the residual stream and its norms, queries, keys,
 * values and the mix of them, attention weights, five tensors of the MLP. If blocks
 * are computed again, that of one block with its gradients, and every block's input.
 */
function floatsPerToken(model: LlamaConfig, { time, recompute }: MemoryLoad): number {
  const { hiddenSize: d, intermediateSize: f, heads, kvHeads, headDim, layers } = model;
  const block = 4 * d + (3 * heads + 2 * kvHeads) * headDim + heads * time + 5 * f;
  const gradients = 4 * f + 3 * heads * time;
  return recompute ? layers * d + block + gradients : layers * block;
}
