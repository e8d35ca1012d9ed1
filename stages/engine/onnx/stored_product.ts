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

/**
 * x·W, or x·Wᵀ, for a matrix that is held in float16: it is widened in a branch of its
 * own, so that the wide copy lives no longer than this one product. Widened in the
 * graph itself, one copy would serve all products with W, from the first to the last.
 */
export function storedProduct(graph: GraphBuilder, x: string, weight: string, transB: boolean): string {
  const branch = (build: (b: GraphBuilder) => string) => {
    const b = new GraphBuilder(`${graph.fresh("branch")}_`);
    b.output(build(b), "float32");
    return b;
  };
  const widened = branch((b) => {
    const wide = b.node("Cast", [weight], { attributes: { to: elementType.float32 } });
    return transB
      ? b.node("FusedMatMul", [x, wide], { domain: MICROSOFT, attributes: { transB: 1 } })
      : b.node("MatMul", [x, wide]);
  });
  return graph.node("If", [ALWAYS], {
    attributes: { then_branch: widened, else_branch: branch((b) => b.node("Identity", [x])) },
  });
}

/** Rows of a matrix that is held in float16, in float32. */
export function storedRows(
  graph: GraphBuilder,
  weight: string,
  ids: string,
  outputs?: readonly string[],
): string {
  const rows = graph.node("Gather", [weight, ids], { attributes: { axis: 0 } });
  return graph.node("Cast", [rows], {
    attributes: { to: elementType.float32 },
    ...(outputs !== undefined && { outputs }),
  });
}
