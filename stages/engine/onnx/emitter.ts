import { type GraphBuilder, MICROSOFT } from "./graph.ts";
import { type StoredMatrix, storedProduct } from "./stored_product.ts";

/** Element types in which a graph can be differentiated: float64 is for finite differences. */
export type FloatType = "float32" | "float64";

/** Settings of a product: op(a)·op(b)·alpha, where op may transpose the last two axes. */
export interface MatMulOptions {
  readonly transA?: boolean;
  readonly transB?: boolean;
  readonly alpha?: number;
}

/**
 * The operators that forward passes and gradient rules are written in, for one
 * element type: each method appends one node to the graph and returns the name of
 * its value.
 */
export class Emitter {
  /**
   * @param portable Use no output of a fused node that some provider leaves empty:
   * WebGPU's normalisation does not give its scale.
   * @param stored Matrices by name that are held in fewer bits; see {@link storedProduct}.
   */
  constructor(
    readonly graph: GraphBuilder,
    readonly type: FloatType,
    readonly portable: boolean = false,
    readonly stored: Map<string, StoredMatrix> = new Map(),
  ) {}

  /** A constant scalar of the element type. */
  scalar(value: number): string {
    return this.graph.scalar(value, this.type);
  }

  add(a: string, b: string): string {
    return this.graph.node("Add", [a, b]);
  }

  sub(a: string, b: string): string {
    return this.graph.node("Sub", [a, b]);
  }

  mul(a: string, b: string): string {
    return this.graph.node("Mul", [a, b]);
  }

  neg(a: string): string {
    return this.graph.node("Neg", [a]);
  }

  exp(a: string): string {
    return this.graph.node("Exp", [a]);
  }

  sigmoid(a: string): string {
    return this.graph.node("Sigmoid", [a]);
  }

  /** Over the last axis. */
  softmax(a: string): string {
    return this.graph.node("Softmax", [a], { attributes: { axis: -1 } });
  }

  /** Over the last axis. */
  logSoftmax(a: string): string {
    return this.graph.node("LogSoftmax", [a], { attributes: { axis: -1 } });
  }

  /** Sum over `axes`, which stay as axes of length 1 if `keep`. */
  sum(a: string, axes: readonly number[], keep = false): string {
    return this.graph.node("ReduceSum", [a, this.graph.int(axes)], {
      attributes: { keepdims: keep ? 1 : 0 },
    });
  }

  /** Mean over the last axis, which stays. */
  mean(a: string): string {
    return this.graph.node("ReduceMean", [a, this.graph.int([-1])], { attributes: { keepdims: 1 } });
  }

  reciprocalSqrt(a: string): string {
    return this.graph.node("Reciprocal", [this.graph.node("Sqrt", [a])]);
  }

  /** A shape entry of 0 copies the input's axis, one of -1 is inferred. */
  reshape(a: string, shape: readonly number[]): string {
    return this.graph.node("Reshape", [a, this.graph.int(shape)]);
  }

  reshapeLike(a: string, like: string): string {
    return this.graph.node("Reshape", [a, this.graph.node("Shape", [like])]);
  }

  transpose(a: string, perm: readonly number[]): string {
    return this.graph.node("Transpose", [a], { attributes: { perm } });
  }

  concat(values: readonly string[], axis: number): string {
    return this.graph.node("Concat", values, { attributes: { axis } });
  }

  /** `a[..., begin:end]`. */
  sliceLast(a: string, begin: number, end: number): string {
    const { graph } = this;
    return graph.node("Slice", [a, graph.int([begin]), graph.int([end]), graph.int([-1])]);
  }

  /** `a` of `rank` axes with zeros before and after along the last axis. */
  padLast(a: string, before: number, after: number, rank: number): string {
    const lead = Array<number>(rank - 1).fill(0);
    return this.graph.node("Pad", [a, this.graph.int([...lead, before, ...lead, after])]);
  }

  /** Rows `index` of `a` along axis 0. */
  gather(a: string, index: string): string {
    return this.graph.node("Gather", [a, index], { attributes: { axis: 0 } });
  }

  unsqueeze(a: string, axis: number): string {
    return this.graph.node("Unsqueeze", [a, this.graph.int([axis])]);
  }

  squeeze(a: string, axis: number): string {
    return this.graph.node("Squeeze", [a, this.graph.int([axis])]);
  }

  /** `a` and `b` with transposes and a factor folded into one product. */
  matMul(a: string, b: string, { transA, transB, alpha = 1 }: MatMulOptions = {}): string {
    // Frozen matrices come second, plain or transposed.
    const stored = this.stored.get(b);
    if (stored !== undefined) return storedProduct(this.graph, a, stored, transB ?? false);
    if (!transA && !transB && alpha === 1) return this.graph.node("MatMul", [a, b]);
    return this.graph.node("FusedMatMul", [a, b], {
      domain: MICROSOFT,
      attributes: { transA: transA ? 1 : 0, transB: transB ? 1 : 0, alpha: { float: alpha } },
    });
  }
}
