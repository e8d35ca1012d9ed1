import { gradientName, llamaNames } from "./onnx/llama_graph.ts";
import type { RunOutputs } from "./onnx/llama_runner.ts";
import type { PackableRow } from "./pack_rows.ts";
import { batchSize, type Microbatch, slotOf } from "./plan_microbatches.ts";
import type { Tensor, Weights } from "./weights.ts";

const EMBEDDING = "model.embed_tokens.weight";

/** The gradient that accumulates between optimiser steps, one float32 tensor per parameter. */
export class GradientBuffer {
  readonly tensors: ReadonlyMap<string, Tensor>;

  constructor(weights: Weights) {
    this.tensors = new Map(
      [...weights].map(([name, { shape, data }]) => [name, { shape, data: new Float32Array(data.length) }]),
    );
  }

  /** Adds a micro-batch's gradient outputs; looked-up rows are added to the embedding by token id. */
  add(outputs: RunOutputs, rows: readonly PackableRow[], batch: Microbatch): void {
    for (const [name, { data }] of this.tensors) {
      const output = outputs[gradientName(name)];
      if (output !== undefined) addInto(data, output.data);
    }
    const embedding = this.tensors.get(EMBEDDING);
    if (embedding === undefined) return;
    const width = embedding.shape[1];
    const looked = outputs[gradientName(llamaNames.embedded)].data;
    // Rows of a tree have places in common.
    const added = new Uint8Array(batchSize(batch) * batch.time);
    batch.rows.forEach((r, b) => {
      const { ids } = rows[r];
      for (let t = 0; t < ids.length - 1; t++) {
        const slot = slotOf(batch, b, t);
        if (added[slot] === 1) continue;
        added[slot] = 1;
        const from = slot * width;
        const to = ids[t] * width;
        for (let i = 0; i < width; i++) embedding.data[to + i] += looked[from + i];
      }
    });
  }

  /** Sets everything to zero. */
  clear(): void {
    for (const { data } of this.tensors.values()) data.fill(0);
  }
}

function addInto(total: Float32Array, term: Float32Array): void {
  for (let i = 0; i < total.length; i++) total[i] += term[i];
}
