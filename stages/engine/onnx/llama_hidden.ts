import { familyOf } from "../families.ts";
import type { LlamaConfig } from "../llama_config.ts";
import { isAdapted, LORA_A, LORA_B } from "../lora.ts";
import type { Variable } from "./operator.ts";
import { recompute } from "./recompute.ts";
import { add } from "./rules/add.ts";
import { addBias } from "./rules/add_bias.ts";
import { attention } from "./rules/attention.ts";
import { linear } from "./rules/linear.ts";
import { lowRank } from "./rules/low_rank.ts";
import { reshape } from "./rules/reshape.ts";
import { rmsNorm } from "./rules/rms_norm.ts";
import { rotary } from "./rules/rotary.ts";
import { selectRows } from "./rules/select_rows.ts";
import { sliceLast } from "./rules/slice_last.ts";
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
  /** Blocks but the last are computed again in the backward pass; see {@link recompute}. */
  readonly recompute?: boolean;
}

/**
 * The decoder between embedding and output head: from embedded tokens
 * [batch, time, hidden] to the normalised hidden states ["selected", hidden] of
 * the selected positions. Nothing mixes positions after the last attention, so
 * the selection happens there and the rest costs the selected positions only.
 *
 * @param parameters By their Hugging Face names.
 */
export function llamaHidden(
  tape: Tape,
  config: LlamaConfig,
  embedded: Variable,
  parameters: ReadonlyMap<string, Variable>,
  inputs: HiddenInputs,
): Variable {
  const parameter = (name: string) => parameters.get(name)!;
  const norm = (tape: Tape, x: Variable, name: string) =>
    tape.apply(rmsNorm, [x, parameter(name)], { eps: config.rmsNormEps });
  const project: Project = (tape, x, layer) => {
    const y = tape.apply(linear, [x, parameter(`${layer}.weight`)], undefined);
    if (!isAdapted(config, layer)) return y;
    const { alpha, rank } = config.lora!;
    const inputs = [x, parameter(layer + LORA_A), parameter(layer + LORA_B)];
    return tape.apply(add, [y, tape.apply(lowRank, inputs, { scale: alpha / rank })], undefined);
  };
  const { fused } = familyOf(config);
  const width = config.intermediateSize;

  /** One block; `select` picks the positions that are wanted of what comes after its attention. */
  const block = (tape: Tape, x: Variable, layer: string, select = (x: Variable) => x): Variable => {
    const h = norm(tape, x, `${layer}.input_layernorm.weight`);
    const parts = projections(tape, config, h, `${layer}.self_attn`, parameter, project);
    const mixed = select(attend(tape, config, inputs, parts));
    const middle = tape.apply(add, [select(x), project(tape, mixed, `${layer}.self_attn.o_proj`)], undefined);
    const h2 = norm(tape, middle, `${layer}.post_attention_layernorm.weight`);
    const both = fused ? project(tape, h2, `${layer}.mlp.gate_up_proj`) : undefined;
    const part = (name: string, begin: number) =>
      both === undefined
        ? project(tape, h2, `${layer}.mlp.${name}`)
        : tape.apply(sliceLast, [both], { begin, end: begin + width });
    const inner = tape.apply(swiglu, [part("gate_proj", 0), part("up_proj", width)], undefined);
    return tape.apply(add, [middle, project(tape, inner, `${layer}.mlp.down_proj`)], undefined);
  };

  let x = embedded;
  for (let l = 0; l < config.layers; l++) {
    const layer = `model.layers.${l}`;
    if (l === config.layers - 1) {
      const { index, inverse } = inputs;
      x = block(tape, x, layer, (x) => tape.apply(selectRows, [x], { index, inverse, count: "selected" }));
    } else if (inputs.recompute) {
      const trained = [...parameters.values()].filter(({ name, tracked }) =>
        tracked && name.startsWith(`${layer}.`)
      );
      const body = (tape: Tape, x: Variable) => block(tape, x, layer);
      x = tape.apply(recompute, [x, ...trained], { body });
    } else {
      x = block(tape, x, layer);
    }
  }
  return norm(tape, x, "model.norm.weight");
}

/** Applies a linear layer by its name, with its adapter if it has one. */
type Project = (tape: Tape, x: Variable, layer: string) => Variable;

/** Queries, keys and values [batch, time, heads·headDim] of normalised states, before rotation. */
function projections(
  tape: Tape,
  config: LlamaConfig,
  h: Variable,
  block: string,
  parameter: (name: string) => Variable,
  project: Project,
): (name: "q" | "k" | "v") => Variable {
  const { heads, kvHeads, headDim, rmsNormEps: eps } = config;
  const { qkvBias, qkNorm, fused } = familyOf(config);
  const apply = (name: string) => project(tape, h, `${block}.${name}`);
  if (fused) {
    const all = apply("qkv_proj");
    const [q, kv] = [heads * headDim, kvHeads * headDim];
    const ranges = { q: [0, q], k: [q, q + kv], v: [q + kv, q + 2 * kv] };
    return (name) => tape.apply(sliceLast, [all], { begin: ranges[name][0], end: ranges[name][1] });
  }
  return (name) => {
    let x = apply(`${name}_proj`);
    if (qkvBias) x = tape.apply(addBias, [x, parameter(`${block}.${name}_proj.bias`)], undefined);
    if (!qkNorm || name === "v") return x;
    const count = name === "q" ? heads : kvHeads;
    const split = tape.apply(reshape, [x], { shape: ["batch", "time", count, headDim] });
    const normed = tape.apply(rmsNorm, [split, parameter(`${block}.${name}_norm.weight`)], { eps });
    return tape.apply(reshape, [normed], { shape: ["batch", "time", count * headDim] });
  };
}

/** Grouped-query attention before its output projection: [batch, time, heads·headDim]. */
function attend(
  tape: Tape,
  config: LlamaConfig,
  { mask, cos, sin }: HiddenInputs,
  project: (name: "q" | "k" | "v") => Variable,
): Variable {
  const { heads, kvHeads, headDim } = config;
  const group = heads / kvHeads;
  const view = (x: Variable, ...shape: (number | string)[]) => tape.apply(reshape, [x], { shape });
  const swap = (x: Variable, ...perm: number[]) => tape.apply(transpose, [x], { perm });
  const rotated = (name: "q" | "k", count: number) =>
    tape.apply(rotary, [project(name)], { cos, sin, heads: count, headDim });

  // The query heads that share a key/value head are stacked along time: no key is copied.
  const queries = swap(
    view(rotated("q", heads), "batch", "time", kvHeads, group, headDim),
    ...[0, 2, 3, 1, 4],
  );
  const q = view(queries, "batch", kvHeads, "queries", headDim);
  const k = swap(view(rotated("k", kvHeads), "batch", "time", kvHeads, headDim), 0, 2, 1, 3);
  const v = swap(view(project("v"), "batch", "time", kvHeads, headDim), 0, 2, 1, 3);
  const o = tape.apply(attention, [q, k, v], { mask, scale: 1 / Math.sqrt(headDim) });
  const back = swap(view(o, "batch", kvHeads, group, "time", headDim), 0, 3, 1, 2, 4);
  return view(back, "batch", "time", heads * headDim);
}
