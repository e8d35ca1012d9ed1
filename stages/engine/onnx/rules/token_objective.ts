import { type HeadInputs, headLogprobs, type HeadOptions } from "../head_logprobs.ts";
import type { Operator } from "../operator.ts";
import { requireSameDim } from "./_shapes.ts";

/** The head's other inputs, its options, and what its side results are to be called. */
export interface TokenObjectiveAttributes extends Omit<HeadInputs, "x" | "head"> {
  readonly weight: string;
  readonly options: Omit<HeadOptions, "features" | "vocabulary" | "frozen">;
  /** Names under which log-probabilities and, if asked for, entropies appear in the graph. */
  readonly names: { readonly logprobs: string; readonly entropy: string; readonly divergence: string };
}

/**
 * J = Σ w·logp + Σ e·H + Σ k·KL(p‖q) of the targets, from hidden states x [P, features]
 * and the head's weight [vocabulary, features]. Both gradients are by-products of the
 * forward pass (see {@link headLogprobs}), so the rule only scales them.
 */
export const tokenObjective: Operator<TokenObjectiveAttributes> = {
  name: "tokenObjective",
  forward(emit, [x, head], { options, names, ...inputs }) {
    const [vocabulary, features] = head.shape as readonly number[];
    requireSameDim("tokenObjective", "features", x.shape[1], features);
    const values = headLogprobs(emit, { ...inputs, x: x.name, head: head.name }, {
      ...options,
      features,
      vocabulary,
      frozen: !head.tracked,
    });
    const named = (value: string, name: string) => emit.graph.node("Identity", [value], { outputs: [name] });
    const logprobs = named(values.logprobs, names.logprobs);
    let output = emit.sum(emit.mul(inputs.weight, logprobs), [0]);
    if (values.entropy !== undefined) {
      const entropy = named(values.entropy, names.entropy);
      if (inputs.entropyWeight !== undefined) {
        output = emit.add(output, emit.sum(emit.mul(inputs.entropyWeight, entropy), [0]));
      }
    }
    if (values.divergence !== undefined) {
      const divergence = named(values.divergence, names.divergence);
      output = emit.add(output, emit.sum(emit.mul(inputs.against!.weight, divergence), [0]));
    }
    return { output, shape: [], saved: [values.dx!, ...(values.dHead === undefined ? [] : [values.dHead])] };
  },
  gradient: (emit, { saved }, grad) => saved.map((value) => emit.mul(value, grad)),
};
