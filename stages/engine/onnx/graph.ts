/**
 * A builder for ONNX graphs: nodes in execution order, values by name.
 *
 * It checks nothing about shapes; ONNX Runtime does, when the session is made.
 * Names are unique within a builder; a sub-graph (a Loop body) is a builder with
 * its own prefix, so that it can read the outer graph's values by name.
 *
 * @module
 */
import onnxProto from "onnx-proto";
import { sizeOf } from "../size_of.ts";

// The generated protobuf classes come without usable types under ES modules.
const onnx = (onnxProto as any).onnx;

/** ONNX element types that are used here, by their protobuf numbers. */
export const elementType = {
  ...{ float32: 1, uint8: 2, int8: 3, int32: 6, int64: 7, bool: 9, float16: 10, float64: 11 },
} as const;

const BYTES = { uint8: 1, int8: 1, float32: 4, int32: 4, int64: 8, bool: 1, float16: 2, float64: 8 } as const;

/** Name of an {@link elementType}. */
export type ElementType = keyof typeof elementType;

/** A dimension: fixed, or named and decided at run time. */
export type Dim = number | string;

/** An attribute that must be encoded as a float even if it is integral. */
export interface FloatAttribute {
  readonly float: number;
}

/** Attribute values: integers, floats, strings, integer lists and sub-graphs. */
export type Attribute = number | FloatAttribute | string | readonly number[] | GraphBuilder;

/** Extra settings of a node. */
export interface NodeOptions {
  readonly attributes?: Readonly<Record<string, Attribute>>;
  /** Operator domain; `com.microsoft` for ONNX Runtime's own operators. */
  readonly domain?: string;
  /** Names of the outputs; fresh ones by default. */
  readonly outputs?: readonly string[];
  /** Number of outputs if not named. Default 1. */
  readonly outputCount?: number;
}

/** ONNX Runtime's own operators, e.g. FusedMatMul. */
export const MICROSOFT = "com.microsoft";

/** Builds one graph; `bytes` encodes it as a model. */
export class GraphBuilder {
  readonly #prefix: string;
  readonly #nodes: object[] = [];
  readonly #initializers: object[] = [];
  readonly #inputs: object[] = [];
  readonly #outputs: object[] = [];
  readonly #constants = new Map<string, string>();
  #count = 0;

  constructor(prefix = "") {
    this.#prefix = prefix;
  }

  /** Number of nodes so far. */
  get nodeCount(): number {
    return this.#nodes.length;
  }

  /** A name that is not used yet. */
  fresh(hint = "v"): string {
    return `${this.#prefix}${hint}_${this.#count++}`;
  }

  /** Appends a node and returns the names of its outputs. */
  nodes(operator: string, inputs: readonly string[], options: NodeOptions = {}): readonly string[] {
    const outputs = options.outputs ??
      Array.from({ length: options.outputCount ?? 1 }, () => this.fresh(operator));
    this.#nodes.push({
      opType: operator,
      input: [...inputs],
      output: [...outputs],
      domain: options.domain ?? "",
      attribute: Object.entries(options.attributes ?? {}).map(([name, value]) =>
        encodeAttribute(name, value)
      ),
    });
    return outputs;
  }

  /** Appends a node with one output and returns its name. */
  node(operator: string, inputs: readonly string[], options: NodeOptions = {}): string {
    return this.nodes(operator, inputs, options)[0];
  }

  /** Declares a graph input. */
  input(name: string, type: ElementType, shape: readonly Dim[]): string {
    this.#inputs.push(valueInfo(name, type, shape));
    return name;
  }

  /** Declares a graph output; without a shape, one that the runtime infers. */
  output(name: string, type: ElementType, shape?: readonly Dim[]): string {
    this.#outputs.push(valueInfo(name, type, shape));
    return name;
  }

  /** A constant float tensor; equal small constants are stored once. */
  float(
    values: ArrayLike<number>,
    shape: readonly number[],
    type: "float32" | "float64" = "float32",
  ): string {
    const data = type === "float32" ? Float32Array.from(values) : Float64Array.from(values);
    return this.#constant(type, shape, new Uint8Array(data.buffer));
  }

  /** A constant float scalar. */
  scalar(value: number, type: "float32" | "float64" = "float32"): string {
    return this.float([value], [], type);
  }

  /** A constant int64 tensor; a list of one axis by default. */
  int(values: readonly number[], shape: readonly number[] = [values.length]): string {
    const data = BigInt64Array.from(values, (x) => BigInt(x));
    return this.#constant("int64", shape, new Uint8Array(data.buffer));
  }

  /** A constant boolean scalar. */
  bool(value: boolean): string {
    return this.#constant("bool", [], new Uint8Array([value ? 1 : 0]));
  }

  /**
   * Declares a constant whose numbers the session is given apart from the model, as
   * `externalData` with the constant's name for a path.
   */
  external(name: string, type: ElementType, shape: readonly number[]): string {
    const bytes = BYTES[type] * sizeOf(shape);
    this.#initializers.push({
      name,
      dims: [...shape],
      dataType: elementType[type],
      dataLocation: onnx.TensorProto.DataLocation.EXTERNAL,
      externalData: Object.entries({ location: name, offset: "0", length: String(bytes) }).map(
        ([key, value]) => ({ key, value }),
      ),
    });
    return name;
  }

  #constant(type: ElementType, dims: readonly number[], rawData: Uint8Array): string {
    const key = rawData.length <= 256 ? `${type}:${dims}:${rawData}` : undefined;
    const known = key === undefined ? undefined : this.#constants.get(key);
    if (known !== undefined) return known;
    const name = this.fresh("const");
    this.#initializers.push({ name, dims: [...dims], dataType: elementType[type], rawData });
    if (key !== undefined) this.#constants.set(key, name);
    return name;
  }

  /** The graph as a protobuf-ready object, for an attribute or a model. */
  graph(name = "graph"): object {
    return {
      name,
      node: this.#nodes,
      initializer: this.#initializers,
      input: this.#inputs,
      output: this.#outputs,
    };
  }

  /** Encodes the graph as an ONNX model (opset 21, IR version 10). Throws if a message is malformed. */
  bytes(): Uint8Array {
    const model = onnx.ModelProto.create({
      irVersion: 10,
      opsetImport: [{ domain: "", version: 21 }, { domain: MICROSOFT, version: 1 }],
      graph: this.graph(),
    });
    return onnx.ModelProto.encode(model).finish();
  }
}

function valueInfo(name: string, type: ElementType, shape?: readonly Dim[]): object {
  const dim = shape?.map((d) => (typeof d === "number" ? { dimValue: d } : { dimParam: d }));
  return { name, type: { tensorType: { elemType: elementType[type], ...(dim && { shape: { dim } }) } } };
}

function encodeAttribute(name: string, value: Attribute): object {
  if (value instanceof GraphBuilder) return { name, type: 5, g: value.graph(name) };
  if (typeof value === "number") return { name, type: 2, i: value };
  if (typeof value === "string") return { name, type: 3, s: new TextEncoder().encode(value) };
  if (Array.isArray(value)) return { name, type: 7, ints: [...value] };
  return { name, type: 1, f: (value as FloatAttribute).float };
}
