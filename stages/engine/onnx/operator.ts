import type { Emitter } from "./emitter.ts";
import type { Dim } from "./graph.ts";

/** A value of the graph under differentiation. */
export interface Variable {
  /** Its name in the graph. */
  readonly name: string;
  readonly shape: readonly Dim[];
  /** A gradient is wanted for it or for something it was computed from. */
  readonly tracked: boolean;
}

/** What a forward pass leaves behind. */
export interface Forward {
  readonly output: string;
  readonly shape: readonly Dim[];
  /** Values that the gradient rule uses again. */
  readonly saved?: readonly string[];
}

/** One application of an operator, as its gradient rule sees it. */
export interface Call<A> {
  readonly inputs: readonly Variable[];
  readonly attributes: A;
  readonly output: string;
  readonly saved: readonly string[];
}

/**
 * A differentiable operator: how to compute it and its one gradient rule. `A` is
 * what it takes beside its differentiable inputs.
 */
export interface Operator<A> {
  readonly name: string;
  /** Appends the forward nodes. Throws RangeError if the shapes do not fit. */
  readonly forward: (emit: Emitter, inputs: readonly Variable[], attributes: A) => Forward;
  /**
   * Given ∂J/∂output, appends the nodes of ∂J/∂input for each input, in order; it
   * may leave out (undefined) that of an input that is not tracked.
   */
  readonly gradient: (emit: Emitter, call: Call<A>, grad: string) => readonly (string | undefined)[];
}
