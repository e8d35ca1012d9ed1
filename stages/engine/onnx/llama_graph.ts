import type { LlamaConfig } from "../llama_config.ts";
import { llamaParameterShapes } from "../llama_parameter_shapes.ts";
import { isAdapterName } from "../lora.ts";
import { backward } from "./backward.ts";
import { Emitter, type FloatType } from "./emitter.ts";
import { GraphBuilder } from "./graph.ts";
import { headLogprobs } from "./head_logprobs.ts";
import { llamaHidden } from "./llama_hidden.ts";
import type { Variable } from "./operator.ts";
import { tokenObjective } from "./rules/token_objective.ts";
import { declareAlways, declareStored, storedMatrix, storedRows } from "./stored_product.ts";
import { Tape } from "./tape.ts";

/** Which of the engine's graphs is wanted. */
export interface LlamaGraphOptions {
  /** Also the gradients of Σ w·logp (+ Σ e·H with `entropy`). */
  readonly backward: boolean;
  /** Also the entropies; with `backward`, entropy weights are an input. */
  readonly entropy: boolean;
  /** Instead of log-probabilities, the hidden states [selected, features] below the output head. */
  readonly hidden?: boolean;
  /** With `backward`, also the divergences from another model, whose hidden states have this many features. */
  readonly against?: number;
  /** Positions per chunk of the output head; all at once if absent. */
  readonly chunk?: number;
  /** With `backward`: keep only what passes between blocks and compute the rest again. */
  readonly recompute?: boolean;
  /** For a provider whose fused normalisation gives no scale. */
  readonly portable?: boolean;
  /** float64 where the graph is differentiated numerically. Default float32. */
  readonly type?: FloatType;
}

/** Names of inputs and outputs that are not parameters. `gradient.embedded` is ∂J/∂(looked-up rows) [batch, time, hidden]. */
export const llamaNames = {
  ids: "ids",
  mask: "mask",
  cos: "cos",
  sin: "sin",
  index: "index",
  inverse: "inverse",
  target: "target",
  weight: "weight",
  entropyWeight: "entropyWeight",
  inverseTemperature: "inverseTemperature",
  logprobs: "logprobs",
  entropy: "entropyOut",
  hidden: "hidden",
  againstHidden: "againstHidden",
  againstHead: "againstHead",
  divergenceWeight: "divergenceWeight",
  divergence: "divergence",
  objective: "objective",
  embedded: "embedded",
} as const;

/** Name of the output that holds the gradient of a parameter. */
export function gradientName(parameter: string): string {
  return `gradient.${parameter}`;
}

/**
 * The whole model as one ONNX graph. Inputs: the parameters by their Hugging Face
 * names, token ids [batch, time] and what {@link llamaNames} lists; outputs:
 * log-probabilities [selected], entropies, and with `backward` one gradient per
 * parameter, of adapters alone where there are some. The embedding's share of its gradient leaves as the gradient of the
 * looked-up rows, for the caller to add up by id: at any vocabulary size that is
 * less work than a product with one-hot vectors, and in a fixed order.
 */
export function llamaGraph(config: LlamaConfig, options: LlamaGraphOptions): Uint8Array {
  const tape = new Tape(new Emitter(new GraphBuilder(), options.type ?? "float32", options.portable));
  const { graph, emit, type } = tape;
  const names = llamaNames;
  const parameters = new Map<string, Variable>();
  for (const [name, shape] of llamaParameterShapes(config)) {
    const frozen = config.lora !== undefined && !isAdapterName(name);
    const stored = storedMatrix(config, name, shape);
    if (stored === undefined && !frozen) parameters.set(name, tape.parameter(name, shape));
    else {
      if (stored === undefined) graph.input(name, type, shape);
      else {
        declareStored(graph, stored);
        emit.stored.set(name, stored);
      }
      parameters.set(name, { name, shape, tracked: false });
    }
  }
  const parameter = (name: string) => parameters.get(name)!;

  graph.input(names.ids, "int32", ["batch", "time"]);
  declareAlways(graph, names.ids);
  const inputs = {
    mask: tape.input(names.mask, ["queries", "time"]),
    cos: tape.input(names.cos, ["time", config.headDim / 2]),
    sin: tape.input(names.sin, ["time", config.headDim / 2]),
    index: graph.input(names.index, "int32", ["selected"]),
    // Only gradients need the way back.
    inverse: options.backward ? graph.input(names.inverse, "int32", ["batch", "time"]) : names.inverse,
  };

  const embedding = parameter("model.embed_tokens.weight");
  const storedEmbedding = emit.stored.get(embedding.name);
  const embedded: Variable = {
    name: storedEmbedding !== undefined
      ? storedRows(graph, storedEmbedding, names.ids, [names.embedded])
      : graph.node("Gather", [embedding.name, names.ids], { outputs: [names.embedded] }),
    shape: ["batch", "time", config.hiddenSize],
    tracked: embedding.tracked,
  };
  if (options.hidden) {
    const x = llamaHidden(tape, config, embedded, parameters, inputs);
    graph.node("Identity", [x.name], { outputs: [names.hidden] });
    graph.output(names.hidden, type, ["selected", config.hiddenSize]);
    return graph.bytes();
  }
  const target = graph.input(names.target, "int32", ["selected"]);
  const inverseTemperature = tape.input(names.inverseTemperature, []);
  const again = options.backward && (options.recompute ?? false);
  const x = llamaHidden(tape, config, embedded, parameters, { ...inputs, recompute: again });
  const head = config.tied ? embedding : parameter("lm_head.weight");
  const chunk = options.chunk === undefined ? {} : { chunk: options.chunk };

  if (!options.backward) {
    const values = headLogprobs(emit, { x: x.name, head: head.name, target, inverseTemperature }, {
      entropy: options.entropy,
      features: config.hiddenSize,
      vocabulary: config.vocabSize,
      ...chunk,
    });
    graph.node("Identity", [values.logprobs], { outputs: [names.logprobs] });
    if (values.entropy !== undefined) graph.node("Identity", [values.entropy], { outputs: [names.entropy] });
  } else {
    const weight = tape.input(names.weight, ["selected"]);
    const objective = tape.apply(tokenObjective, [x, head], {
      target,
      inverseTemperature,
      weight,
      ...(options.entropy && { entropyWeight: tape.input(names.entropyWeight, ["selected"]) }),
      ...(options.against !== undefined && {
        against: {
          x: tape.input(names.againstHidden, ["selected", options.against]),
          head: tape.input(names.againstHead, [config.vocabSize, options.against]),
          weight: tape.input(names.divergenceWeight, ["selected"]),
          features: options.against,
        },
      }),
      options: { entropy: options.entropy, ...chunk },
      names: { logprobs: names.logprobs, entropy: names.entropy, divergence: names.divergence },
    });
    const gradients = backward(tape, objective);
    const result = (name: string, shape: Variable["shape"]) => {
      const value = gradients.get(name);
      if (value === undefined) return;
      graph.output(
        graph.node("Identity", [value], { outputs: [gradientName(name)] }),
        type,
        shape,
      );
    };
    for (const { name, shape } of parameters.values()) result(name, shape);
    result(embedded.name, embedded.shape);
    graph.output(graph.node("Identity", [objective.name], { outputs: [names.objective] }), type, []);
  }
  graph.output(names.logprobs, type, ["selected"]);
  if (options.entropy) graph.output(names.entropy, type, ["selected"]);
  if (options.against !== undefined) graph.output(names.divergence, type, ["selected"]);
  return graph.bytes();
}
