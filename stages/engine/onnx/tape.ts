import { Emitter, type FloatType } from "./emitter.ts";
import { type Dim, GraphBuilder } from "./graph.ts";
import type { Call, Operator, Variable } from "./operator.ts";

/** One recorded application. */
export interface TapeEntry {
  readonly operator: Operator<unknown>;
  readonly call: Call<unknown>;
}

/** Records what is computed, so that `backward` can walk it in reverse. */
export class Tape {
  readonly graph: GraphBuilder;
  readonly type: FloatType;
  readonly entries: TapeEntry[] = [];

  constructor(readonly emit: Emitter = new Emitter(new GraphBuilder(), "float32")) {
    this.graph = emit.graph;
    this.type = emit.type;
  }

  /** Declares a graph input whose gradient is wanted. */
  parameter(name: string, shape: readonly Dim[]): Variable {
    return { name: this.graph.input(name, this.type, shape), shape, tracked: true };
  }

  /** Declares a graph input without gradient. */
  input(name: string, shape: readonly Dim[]): string {
    return this.graph.input(name, this.type, shape);
  }

  /** Applies an operator and records it. */
  apply<A>(operator: Operator<A>, inputs: readonly Variable[], attributes: A): Variable {
    const { output, shape, saved = [] } = operator.forward(this.emit, inputs, attributes);
    const tracked = inputs.some((v) => v.tracked);
    if (tracked) {
      const call = { inputs, attributes, output, saved };
      this.entries.push({ operator, call } as TapeEntry);
    }
    return { name: output, shape, tracked };
  }
}
