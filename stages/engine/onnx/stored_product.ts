import type { LlamaConfig } from "../llama_config.ts";
import { type StoredType, storedType } from "../stored_type.ts";
import { blockSize } from "../quantize.ts";
import { elementType, GraphBuilder, MICROSOFT } from "./graph.ts";

/**
 * Name of a boolean scalar that is true at run time and that no optimiser can know;
 * {@link declareAlways} makes it.
 */
export const ALWAYS = "always";

/** Appends {@link ALWAYS}, made from the number of entries of the graph's input `ids`. */
export function declareAlways(graph: GraphBuilder, ids: string): void {
  graph.node("Greater", [graph.node("Size", [ids]), graph.int([-1], [])], { outputs: [ALWAYS] });
}

/** A matrix that a graph reads in fewer bits than 32. */
export interface StoredMatrix {
  readonly name: string;
  readonly type: Exclude<StoredType, "float32">;
  readonly shape: readonly number[];
}

/** Names of the inputs that hold scales and minima of the blocks of matrix `name`. */
export const scalesName = (name: string) => `${name}.scales`;
export const minimaName = (name: string) => `${name}.minima`;

/** The parameter `name` of `config` if its matrices are held in fewer bits and it is one, else undefined. */
export function storedMatrix(
  config: Pick<LlamaConfig, "storage">,
  name: string,
  shape: readonly number[],
): StoredMatrix | undefined {
  const type = storedType(config, name, shape);
  return type === "float32" ? undefined : { name, type, shape };
}

/** Declares the graph's inputs for a matrix, as `ortTensors` feeds them. */
export function declareStored(graph: GraphBuilder, { name, type, shape: [rows, width] }: StoredMatrix): void {
  if (type === "float16") {
    graph.input(name, type, [rows, width]);
    return;
  }
  const size = blockSize(width);
  graph.input(name, type, [rows, width / size, size]);
  graph.input(scalesName(name), "float32", [rows, width / size]);
  if (type === "uint8") graph.input(minimaName(name), "float32", [rows, width / size]);
}

/**
 * x·W, or x·Wᵀ, for a matrix that is held in fewer bits: it is widened in a branch of
 * its own, so that the wide copy lives no longer than this one product. Widened in the
 * graph itself, one copy would serve all products with W, from the first to the last.
 */
export function storedProduct(graph: GraphBuilder, x: string, matrix: StoredMatrix, transB: boolean): string {
  const branch = (build: (b: GraphBuilder) => string) => {
    const b = new GraphBuilder(`${graph.fresh("branch")}_`);
    b.output(build(b), "float32");
    return b;
  };
  const widened = branch((b) => {
    const wide = widen(b, matrix);
    return transB
      ? b.node("FusedMatMul", [x, wide], { domain: MICROSOFT, attributes: { transB: 1 } })
      : b.node("MatMul", [x, wide]);
  });
  return graph.node("If", [ALWAYS], {
    attributes: { then_branch: widened, else_branch: branch((b) => b.node("Identity", [x])) },
  });
}

function widen(b: GraphBuilder, { name, type, shape }: StoredMatrix): string {
  if (type === "float16") return cast(b, name);
  // With the blocks along the first axis, ONNX Runtime does this three times as fast as blockwise.
  const blocks = b.node("Reshape", [name, b.int([-1, blockSize(shape[1])])]);
  const scales = b.node("Reshape", [scalesName(name), b.int([-1])]);
  const scaled = b.node("DequantizeLinear", [blocks, scales], { attributes: { axis: 0 } });
  const wide = type === "int8"
    ? scaled
    : b.node("Add", [scaled, b.node("Reshape", [minimaName(name), b.int([-1, 1])])]);
  return b.node("Reshape", [wide, b.int(shape)]);
}

/** Rows of a matrix that is held in fewer bits, in float32. */
export function storedRows(
  graph: GraphBuilder,
  { name, type, shape }: StoredMatrix,
  ids: string,
  outputs?: readonly string[],
): string {
  const rows = (matrix: string) => graph.node("Gather", [matrix, ids], { attributes: { axis: 0 } });
  const named = outputs === undefined ? {} : { outputs };
  const wide = cast(graph, rows(name), type === "float16" ? outputs : undefined);
  if (type === "float16") return wide;
  const perBlock = (values: string) => graph.node("Unsqueeze", [rows(values), graph.int([-1])]);
  const scaled = graph.node("Mul", [wide, perBlock(scalesName(name))]);
  const shifted = type === "int8" ? scaled : graph.node("Add", [scaled, perBlock(minimaName(name))]);
  return graph.node("Reshape", [shifted, graph.int([0, 0, shape[1]])], named);
}

function cast(graph: GraphBuilder, value: string, outputs?: readonly string[]): string {
  const attributes = { to: elementType.float32 };
  return graph.node("Cast", [value], { attributes, ...(outputs !== undefined && { outputs }) });
}
