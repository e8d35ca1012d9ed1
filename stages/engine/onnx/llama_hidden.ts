import type { LlamaConfig } from "../llama_config.ts";
import type { Variable } from "./operator.ts";
import { add } from "./rules/add.ts";
import { attention } from "./rules/attention.ts";
import { linear } from "./rules/linear.ts";
import { reshape } from "./rules/reshape.ts";
import { rmsNorm } from "./rules/rms_norm.ts";
import { rotary } from "./rules/rotary.ts";
import { selectRows } from "./rules/select_rows.ts";
import { swiglu } from "./rules/swiglu.ts";
import { transpose } from "./rules/transpose.ts";
import type { Tape } from "./tape.ts";

/** Names of the decoder's inputs that are not parameters. */
export interface HiddenInputs {
  /** [headGroup·time, time]: 0 where a query may look, a large negative number elsewhere. */
  readonly mask: string;
  /** Rotation tables [time, headDim/2]. */
  readonly cos: string;
  readonly sin: string;
  /** Positions whose hidden state is wanted; see {@link selectRows}. */
  readonly index: string;
  readonly inverse: string;
}

/**
 * The decoder between embedding and output head: from embedded tokens
 * [batch, time, hidden] to the normalised hidden states ["selected", hidden] of
 * the selected positions. Nothing mixes positions after the last attention, so
 * the selection happens there and the rest costs the selected positions only.
 *
 * @param parameter Gives a parameter by its Hugging Face name.
 */
export function llamaHidden(
  tape: Tape,
  config: LlamaConfig,
  embedded: Variable,
  parameter: (name: string) => Variable,
  inputs: HiddenInputs,
): Variable {
  const norm = (x: Variable, name: string) =>
    tape.apply(rmsNorm, [x, parameter(name)], { eps: config.rmsNormEps });
  const project = (x: Variable, name: string) => tape.apply(linear, [x, parameter(name)], undefined);
  const select = (x: Variable) =>
    tape.apply(selectRows, [x], { index: inputs.index, inverse: inputs.inverse, count: "selected" });

  let x = embedded;
  for (let l = 0; l < config.layers; l++) {
    const layer = `model.layers.${l}`;
    const h = norm(x, `${layer}.input_layernorm.weight`);
    let mixed = attend(tape, config, inputs, (name) => project(h, `${layer}.self_attn.${name}.weight`));
    if (l === config.layers - 1) [x, mixed] = [select(x), select(mixed)];
    x = tape.apply(add, [x, project(mixed, `${layer}.self_attn.o_proj.weight`)], undefined);
    const h2 = norm(x, `${layer}.post_attention_layernorm.weight`);
    const gate = project(h2, `${layer}.mlp.gate_proj.weight`);
    const up = project(h2, `${layer}.mlp.up_proj.weight`);
    const inner = tape.apply(swiglu, [gate, up], undefined);
    x = tape.apply(add, [x, project(inner, `${layer}.mlp.down_proj.weight`)], undefined);
  }
  return norm(x, "model.norm.weight");
}

/** Grouped-query attention before its output projection: [batch, time, heads·headDim]. */
function attend(
  tape: Tape,
  config: LlamaConfig,
  { mask, cos, sin }: HiddenInputs,
  project: (name: string) => Variable,
): Variable {
  const { heads, kvHeads, headDim } = config;
  const group = heads / kvHeads;
  const view = (x: Variable, ...shape: (number | string)[]) => tape.apply(reshape, [x], { shape });
  const swap = (x: Variable, ...perm: number[]) => tape.apply(transpose, [x], { perm });
  const rotated = (name: string, count: number) =>
    tape.apply(rotary, [project(name)], { cos, sin, heads: count, headDim });

  // The query heads that share a key/value head are stacked along time: no key is copied.
  const queries = swap(
    view(rotated("q_proj", heads), "batch", "time", kvHeads, group, headDim),
    ...[0, 2, 3, 1, 4],
  );
  const q = view(queries, "batch", kvHeads, "queries", headDim);
  const k = swap(view(rotated("k_proj", kvHeads), "batch", "time", kvHeads, headDim), 0, 2, 1, 3);
  const v = swap(view(project("v_proj"), "batch", "time", kvHeads, headDim), 0, 2, 1, 3);
  const o = tape.apply(attention, [q, k, v], { mask, scale: 1 / Math.sqrt(headDim) });
  const back = swap(view(o, "batch", kvHeads, group, "time", headDim), 0, 3, 1, 2, 4);
  return view(back, "batch", "time", heads * headDim);
}
