import { Emitter } from "./emitter.ts";
import { type Dim, GraphBuilder } from "./graph.ts";

/** Names of the values that the output head works on; P positions. */
export interface HeadInputs {
  /** Hidden states [P, features]. */
  readonly x: string;
  /** The head's weight [vocabulary, features]. */
  readonly head: string;
  /** int32 [P]: the token whose log-probability is asked for. */
  readonly target: string;
  /** Scalar 1/temperature. */
  readonly inverseTemperature: string;
  /** ∂J/∂logp [P]; without it no gradient is computed. */
  readonly weight?: string;
  /** ∂J/∂H [P]. */
  readonly entropyWeight?: string;
  /** Another model's distributions q, and ∂J/∂KL(p‖q) [P]; only with `weight`. */
  readonly against?: AgainstInputs;
}

/** Names of another model's hidden states [P, features], head [vocabulary, features] and the weights [P]. */
export interface AgainstInputs {
  readonly x: string;
  readonly head: string;
  readonly weight: string;
  readonly features: number;
}

/** How the head is evaluated. */
export interface HeadOptions {
  /** Also compute the entropy; implied by entropy weights. */
  readonly entropy: boolean;
  readonly features: number;
  readonly vocabulary: number;
  /** No gradient of the head's weight is wanted. */
  readonly frozen?: boolean;
  /** Positions held at once, a divisor of P; all of them if absent. */
  readonly chunk?: number;
}

/** Names of the head's values; absent what was not asked for. */
export interface HeadValues {
  /** [P] */
  readonly logprobs: string;
  /** [P], in nats. */
  readonly entropy?: string;
  /** KL(p‖q) [P], in nats. */
  readonly divergence?: string;
  /** ∂J/∂x [P, features]. */
  readonly dx?: string;
  /** ∂J/∂head [vocabulary, features]. */
  readonly dHead?: string;
}

/**
 * Log-probability of each target under softmax(x·headᵀ / temperature), its
 * entropy H, its divergence D = KL(p‖q) from another model's distribution, and the
 * gradients of J = Σ w·logp + Σ e·H + Σ k·D. The logits' gradient is known at once,
 * ∂z = w·(onehot − p) − e·p∘(log p + H) + k·p∘(log p − log q − D), so a chunk's logits are
 * never kept: at most chunk × vocabulary of them exist, in a Loop over chunks
 * that carries ∂head.
 */
export function headLogprobs(emit: Emitter, inputs: HeadInputs, options: HeadOptions): HeadValues {
  return options.chunk === undefined
    ? evaluate(emit, inputs, options)
    : loop(emit, inputs, options, options.chunk);
}

function evaluate(
  emit: Emitter,
  inputs: HeadInputs,
  { entropy: wantEntropy, frozen }: HeadOptions,
): HeadValues {
  const { head, inverseTemperature, weight, entropyWeight, against } = inputs;
  const target = emit.unsqueeze(inputs.target, 1);
  const x = emit.mul(inputs.x, inverseTemperature);
  const logP = emit.logSoftmax(emit.matMul(x, head, { transB: true }));
  const picked = emit.graph.node("GatherElements", [logP, target], { attributes: { axis: 1 } });
  const logprobs = emit.squeeze(picked, 1);
  const withEntropy = wantEntropy || entropyWeight !== undefined;
  if (!withEntropy && weight === undefined) return { logprobs };

  const p = emit.exp(logP);
  const column = withEntropy ? emit.neg(emit.sum(emit.mul(p, logP), [1], true)) : undefined;
  const entropy = column === undefined ? undefined : { entropy: emit.squeeze(column, 1) };
  if (weight === undefined) return { logprobs, ...entropy };

  const w = emit.unsqueeze(weight, 1);
  let factor = w;
  if (entropyWeight !== undefined) {
    const surprise = emit.add(logP, column!);
    factor = emit.add(w, emit.mul(emit.unsqueeze(entropyWeight, 1), surprise));
  }
  let divergence: { readonly divergence: string } | undefined;
  if (against !== undefined) {
    const logits = emit.matMul(emit.mul(against.x, inverseTemperature), against.head, { transB: true });
    const gap = emit.sub(logP, emit.logSoftmax(logits));
    const mean = emit.sum(emit.mul(p, gap), [1], true);
    factor = emit.sub(factor, emit.mul(emit.unsqueeze(against.weight, 1), emit.sub(gap, mean)));
    divergence = { divergence: emit.squeeze(mean, 1) };
  }
  const spread = emit.mul(p, emit.neg(factor));
  const dz = emit.graph.node("ScatterElements", [spread, target, w], {
    attributes: { axis: 1, reduction: "add" },
  });
  const dx = emit.mul(emit.matMul(dz, head), inverseTemperature);
  const values = { logprobs, ...entropy, ...divergence };
  if (frozen) return { ...values, dx };
  return { ...values, dx, dHead: emit.matMul(dz, x, { transA: true }) };
}

function loop(emit: Emitter, inputs: HeadInputs, options: HeadOptions, chunk: number): HeadValues {
  const { graph, type } = emit;
  const { features, vocabulary } = options;
  const body = new GraphBuilder("chunk_");
  const inner = new Emitter(body, type, emit.portable, emit.stored);
  const index = body.input("chunk_index", "int64", []);
  const condition = body.input("chunk_condition", "bool", []);
  const chunks = (value: string, ...rest: number[]) => emit.reshape(value, [-1, chunk, ...rest]);
  const x = chunks(inputs.x, features);
  const take = (value: string) => inner.gather(value, index);
  const values = evaluate(inner, {
    x: take(x),
    head: inputs.head,
    target: take(chunks(inputs.target)),
    inverseTemperature: inputs.inverseTemperature,
    ...(inputs.weight !== undefined && { weight: take(chunks(inputs.weight)) }),
    ...(inputs.entropyWeight !== undefined && { entropyWeight: take(chunks(inputs.entropyWeight)) }),
    ...(inputs.against !== undefined && {
      against: {
        ...inputs.against,
        x: take(chunks(inputs.against.x, inputs.against.features)),
        weight: take(chunks(inputs.against.weight)),
      },
    }),
  }, options);

  const shape = [vocabulary, features];
  const carried: string[] = [];
  const results: (keyof HeadValues)[] = [];
  const result = (key: keyof HeadValues, value: string, dims: readonly Dim[]) => {
    body.output(value, type, dims);
    results.push(key);
  };
  body.output(body.node("Identity", [condition]), "bool", []);
  if (values.dHead !== undefined) {
    const total = body.input("chunk_total", type, shape);
    result("dHead", inner.add(total, values.dHead), shape);
    const zero = graph.node("Expand", [emit.scalar(0), graph.int(shape)]);
    carried.push(zero);
  }
  result("logprobs", values.logprobs, [chunk]);
  if (values.entropy !== undefined) result("entropy", values.entropy, [chunk]);
  if (values.divergence !== undefined) result("divergence", values.divergence, [chunk]);
  if (values.dx !== undefined) result("dx", values.dx, [chunk, features]);

  const trips = graph.node("Gather", [graph.node("Shape", [x]), graph.int([0], [])]);
  const outputs = graph.nodes("Loop", [trips, graph.bool(true), ...carried], {
    attributes: { body },
    outputCount: results.length,
  });
  const flat = { logprobs: [-1], entropy: [-1], divergence: [-1], dx: [-1, features], dHead: shape };
  return Object.fromEntries(
    results.map((key, i) => [key, emit.reshape(outputs[i], flat[key])]),
  ) as unknown as HeadValues;
}
