import { InferenceSession, Tensor } from "onnxruntime-node";
import { GraphBuilder } from "../stages/engine/onnx/graph.ts";

/** Products of one row with a matrix larger than the caches, which do two operations a number read. */
export class Bandwidth {
  readonly #session: InferenceSession;
  readonly #feeds: Record<string, Tensor>;
  readonly #bytes: number;

  private constructor(session: InferenceSession, width: number) {
    const tensor = (rows: number) =>
      new Tensor("float32", new Float32Array(rows * width).fill(1), [rows, width]);
    this.#session = session;
    this.#feeds = { x: tensor(1), w: tensor(width) };
    this.#bytes = 4 * width * width;
  }

  /** The caller releases it. */
  static async create(threads: number, width = 12288): Promise<Bandwidth> {
    const graph = new GraphBuilder();
    graph.input("x", "float32", [1, width]);
    graph.input("w", "float32", [width, width]);
    graph.node("MatMul", ["x", "w"], { outputs: ["y"] });
    graph.output("y", "float32", [1, width]);
    const options = { intraOpNumThreads: threads, logSeverityLevel: 3 } as const;
    return new Bandwidth(await InferenceSession.create(graph.bytes(), options), width);
  }

  /** Bytes a second at which the matrix is read from memory: the best of a few times. */
  async measure(): Promise<number> {
    let best = 0;
    for (let i = 0; i < 6; i++) {
      const start = performance.now();
      await this.#session.run(this.#feeds);
      best = Math.max(best, this.#bytes / ((performance.now() - start) / 1000));
    }
    return best;
  }

  async release(): Promise<void> {
    await this.#session.release();
  }
}
