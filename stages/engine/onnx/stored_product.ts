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

/** Most numbers that are widened at once: 16 MiB. */
export const WIDENED_AT_ONCE = 2 ** 22;

/** A range of a matrix's rows. */
interface Rows {
  readonly begin: number;
  readonly end: number;
}

/**
 * x·W, or x·Wᵀ, for a matrix that is held in fewer bits: it is widened in a branch of
 * its own, a large one in parts, so that a wide copy lives no longer than its product.
 * Widened in the graph itself, one copy would serve all products with W, from the first
 * to the last.
 */
export function storedProduct(graph: GraphBuilder, x: string, matrix: StoredMatrix, transB: boolean): string {
  const branch = (build: (b: GraphBuilder) => string) => {
    const b = new GraphBuilder(`${graph.fresh("branch")}_`);
    b.output(build(b), "float32");
    return b;
  };
  const widened = branch((b) => {
    const products = partsOf(matrix).map((rows) => partProduct(b, x, matrix, rows, transB));
    if (products.length === 1) return products[0];
    return transB
      ? b.node("Concat", products, { attributes: { axis: -1 } })
      : products.reduce((sum, part) => b.node("Add", [sum, part]));
  });
  return graph.node("If", [ALWAYS], {
    attributes: { then_branch: widened, else_branch: branch((b) => b.node("Identity", [x])) },
  });
}

function partsOf({ shape: [rows, width] }: StoredMatrix): readonly Rows[] {
  const count = Math.ceil(rows * width / WIDENED_AT_ONCE);
  const size = Math.ceil(rows / count);
  return Array.from({ length: Math.ceil(rows / size) }, (_, i) => ({
    begin: i * size,
    end: Math.min(rows, (i + 1) * size),
  }));
}

/** What some rows of the matrix contribute: columns of x·Wᵀ, or a term of x·W. */
function partProduct(b: GraphBuilder, x: string, matrix: StoredMatrix, rows: Rows, transB: boolean): string {
  const wide = widen(b, matrix, rows);
  if (transB) return b.node("FusedMatMul", [x, wide], { domain: MICROSOFT, attributes: { transB: 1 } });
  const all = rows.end - rows.begin === matrix.shape[0];
  return b.node("MatMul", [all ? x : slice(b, x, rows, -1), wide]);
}

function slice(b: GraphBuilder, value: string, { begin, end }: Rows, axis: number): string {
  return b.node("Slice", [value, b.int([begin]), b.int([end]), b.int([axis])]);
}

/** Some rows in float32. */
function widen(b: GraphBuilder, { name, type, shape: [count, width] }: StoredMatrix, rows: Rows): string {
  const size = rows.end - rows.begin;
  const take = (value: string) => size === count ? value : slice(b, value, rows, 0);
  if (type === "float16") return cast(b, take(name));
  // With the blocks along the first axis, ONNX Runtime does this three times as fast as blockwise.
  const blocks = b.node("Reshape", [take(name), b.int([-1, blockSize(width)])]);
  const scales = b.node("Reshape", [take(scalesName(name)), b.int([-1])]);
  const scaled = b.node("DequantizeLinear", [blocks, scales], { attributes: { axis: 0 } });
  const wide = type === "int8"
    ? scaled
    : b.node("Add", [scaled, b.node("Reshape", [take(minimaName(name)), b.int([-1, 1])])]);
  return b.node("Reshape", [wide, b.int([size, width])]);
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
