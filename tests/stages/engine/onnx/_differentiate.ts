import { InferenceSession, Tensor } from "onnxruntime-node";
import { backward } from "../../../../stages/engine/onnx/backward.ts";
import { Emitter, type FloatType } from "../../../../stages/engine/onnx/emitter.ts";
import { type Dim, GraphBuilder } from "../../../../stages/engine/onnx/graph.ts";
import type { Operator, Variable } from "../../../../stages/engine/onnx/operator.ts";
import { Tape } from "../../../../stages/engine/onnx/tape.ts";

export interface Input {
  readonly shape: readonly number[];
  /** The shape as the graph is told; default `shape`. */
  readonly dims?: readonly Dim[];
  readonly data: readonly number[];
}

export interface Fixture {
  readonly inputs: Readonly<Record<string, Input>>;
  /** Inputs without gradient, already declared by `build`. */
  readonly feeds?: (type: FloatType) => Readonly<Record<string, Tensor>>;
  /** Applies the operator; returns its result (any shape). */
  readonly build: (tape: Tape, inputs: readonly Variable[]) => Variable;
  /** J = Σ c·y has c = cos of the place, so that no gradient is symmetric by accident. */
  readonly size: number;
  /** As for a provider whose fused nodes leave some outputs empty. */
  readonly portable?: boolean;
}

/** J = Σ cᵢ·yᵢ over the flattened value. */
const weightedSum: Operator<{ readonly c: string }> = {
  name: "weightedSum",
  forward: (emit, [y], { c }) => ({
    output: emit.sum(emit.mul(emit.reshape(y.name, [-1]), c), [0]),
    shape: [],
  }),
  gradient: (emit, { inputs: [y], attributes: { c } }, grad) => [emit.reshapeLike(emit.mul(c, grad), y.name)],
};

export function floatTensor(type: FloatType, data: readonly number[], shape: readonly number[]): Tensor {
  return type === "float32"
    ? new Tensor("float32", Float32Array.from(data), shape)
    : new Tensor("float64", Float64Array.from(data), shape);
}

export interface Evaluation {
  readonly objective: number;
  readonly gradients: Readonly<Record<string, readonly number[]>>;
}

/** Builds the graph once; the result evaluates J and its gradients at any inputs. */
export async function prepare(fixture: Fixture, type: FloatType) {
  const tape = new Tape(new Emitter(new GraphBuilder(), type, fixture.portable));
  const names = Object.keys(fixture.inputs);
  const variables = names.map((name) =>
    tape.parameter(name, fixture.inputs[name].dims ?? fixture.inputs[name].shape)
  );
  const y = fixture.build(tape, variables);
  const c = tape.graph.float(
    Array.from({ length: fixture.size }, (_, i) => Math.cos(i + 1)),
    [fixture.size],
    type,
  );
  const root = y.shape.length === 0 ? y : tape.apply(weightedSum, [y], { c });
  const gradients = backward(tape, root);
  tape.graph.node("Identity", [root.name], { outputs: ["J"] });
  tape.graph.output("J", type, []);
  for (const { name, shape } of variables) {
    tape.graph.node("Identity", [gradients.get(name)!], { outputs: [`d_${name}`] });
    tape.graph.output(`d_${name}`, type, shape);
  }
  const session = await InferenceSession.create(tape.graph.bytes(), {
    logSeverityLevel: 3,
    intraOpNumThreads: 1,
  });
  const evaluate = async (inputs: Readonly<Record<string, Input>>): Promise<Evaluation> => {
    const feeds: Record<string, Tensor> = { ...fixture.feeds?.(type) };
    for (const name of names) feeds[name] = floatTensor(type, inputs[name].data, inputs[name].shape);
    const outputs = await session.run(feeds);
    const gradients = Object.fromEntries(
      names.map((n) => [n, Array.from(outputs[`d_${n}`].data as Float64Array)]),
    );
    return { objective: Number(outputs.J.data[0]), gradients };
  };
  return { evaluate, release: () => session.release() };
}

/**
 * Greatest difference between the gradient rules and central differences
 * (J(x+h) − J(x−h))/2h in float64, relative to max(1, |derivative|).
 */
export async function greatestError(fixture: Fixture): Promise<number> {
  const { evaluate, release } = await prepare(fixture, "float64");
  const { gradients } = await evaluate(fixture.inputs);
  const h = 1e-5;
  let worst = 0;
  for (const [name, input] of Object.entries(fixture.inputs)) {
    for (let i = 0; i < input.data.length; i++) {
      const at = async (x: number) => {
        const data = input.data.with(i, x);
        return (await evaluate({ ...fixture.inputs, [name]: { ...input, data } })).objective;
      };
      const slope = (await at(input.data[i] + h) - await at(input.data[i] - h)) / (2 * h);
      const error = Math.abs(slope - gradients[name][i]) / Math.max(1, Math.abs(slope));
      worst = Math.max(worst, error);
    }
  }
  await release();
  return worst;
}

/** Greatest difference between J and its gradients in float32 and in float64. */
export async function greatestRounding(fixture: Fixture): Promise<number> {
  const [single, double] = await Promise.all(
    (["float32", "float64"] as const).map(async (type) => {
      const { evaluate, release } = await prepare(fixture, type);
      const result = await evaluate(fixture.inputs);
      await release();
      return [result.objective, ...Object.values(result.gradients).flat()];
    }),
  );
  return Math.max(...double.map((x, i) => Math.abs(x - single[i]) / Math.max(1, Math.abs(x))));
}
