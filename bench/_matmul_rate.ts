import { InferenceSession, Tensor } from "onnxruntime-node";
import { GraphBuilder } from "../stages/engine/onnx/graph.ts";

/** A session that multiplies two 1024 × 1024 matrices. */
export class MatmulRate {
  readonly #session: InferenceSession;
  readonly #feeds: Record<string, Tensor>;

  private constructor(session: InferenceSession) {
    const n = 1024;
    const matrix = () => new Tensor("float32", new Float32Array(n * n).fill(1), [n, n]);
    this.#session = session;
    this.#feeds = { a: matrix(), b: matrix() };
  }

  /** The caller releases it. */
  static async create(threads: number): Promise<MatmulRate> {
    const graph = new GraphBuilder();
    graph.input("a", "float32", [1024, 1024]);
    graph.input("b", "float32", [1024, 1024]);
    graph.node("MatMul", ["a", "b"], { outputs: ["y"] });
    graph.output("y", "float32", [1024, 1024]);
    const options = { intraOpNumThreads: threads, logSeverityLevel: 3 } as const;
    return new MatmulRate(await InferenceSession.create(graph.bytes(), options));
  }

  /** Rate in flop per second over at least `seconds`. */
  async measure(seconds = 0.3): Promise<number> {
    const start = performance.now();
    let products = 0;
    let elapsed = 0;
    while (elapsed < seconds) {
      await this.#session.run(this.#feeds);
      products++;
      elapsed = (performance.now() - start) / 1000;
    }
    return products * 2 * 1024 ** 3 / elapsed;
  }

  async release(): Promise<void> {
    await this.#session.release();
  }
}
