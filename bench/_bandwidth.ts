import { InferenceSession, Tensor } from "onnxruntime-node";
import { GraphBuilder } from "../stages/engine/onnx/graph.ts";

/**
 * Bytes a second at which a matrix far larger than the caches is read from memory: the
 * best of a few products of one row with it, which do two operations a number read.
 */
export async function measureBandwidth(threads: number, width = 8192): Promise<number> {
  const graph = new GraphBuilder();
  graph.input("x", "float32", [1, width]);
  graph.input("w", "float32", [width, width]);
  graph.node("MatMul", ["x", "w"], { outputs: ["y"] });
  graph.output("y", "float32", [1, width]);
  const session = await InferenceSession.create(graph.bytes(), {
    intraOpNumThreads: threads,
    logSeverityLevel: 3,
  });
  const feeds = {
    x: new Tensor("float32", new Float32Array(width).fill(1), [1, width]),
    w: new Tensor("float32", new Float32Array(width * width).fill(1), [width, width]),
  };
  let best = 0;
  try {
    for (let i = 0; i < 6; i++) {
      const start = performance.now();
      await session.run(feeds);
      best = Math.max(best, 4 * width * width / ((performance.now() - start) / 1000));
    }
  } finally {
    await session.release();
  }
  return best;
}
