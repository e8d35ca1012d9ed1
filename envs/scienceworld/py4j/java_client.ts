import {
  callRequest,
  constructRequest,
  decodeAnswer,
  type JavaArgument,
  JavaFault,
  type JavaReference,
  type JavaValue,
  releaseRequest,
  traceRequest,
} from "./wire.ts";

/** A connection that carries lines. */
export interface Line {
  /**
   * Sends a request and gives the answer line. Requests are answered in the order in
   * which they are asked, which needs no waiting. Rejects when the connection ends.
   */
  ask(request: string): Promise<string>;
  close(): void;
}

/** Calls Java methods over a {@link Line}; they run in the order in which they are called. */
export class JavaClient {
  constructor(readonly line: Line) {}

  async construct(className: string): Promise<JavaReference> {
    return reference(await this.#send(constructRequest(className)), className);
  }

  /** @throws JavaFault with the Java side's message, for an exception its first line. */
  async call(target: JavaReference | string, method: string, ...args: JavaArgument[]): Promise<JavaValue> {
    const id = typeof target === "string" ? target : target.id;
    try {
      return await this.#send(callRequest(id, method, args));
    } catch (error) {
      if (!(error instanceof JavaFault) || error.exception === undefined) throw error;
      const trace = String(await this.#send(traceRequest(error.exception)));
      await this.release({ id: error.exception });
      throw new JavaFault(`${method}: ${trace.split("\n")[0]}`);
    }
  }

  /** A list of texts in one round trip; the list is released. */
  async strings(target: JavaReference, method: string): Promise<string[]> {
    const list = reference(await this.call(target, method), method);
    const size = await this.call(list, "size");
    const joined = await this.call("z:java.lang.String", "join", "\u0001", list);
    await this.release(list);
    return size === 0 ? [] : String(joined).split("\u0001");
  }

  async release(object: JavaReference): Promise<void> {
    await this.#send(releaseRequest(object));
  }

  close(): void {
    this.line.close();
  }

  async #send(request: string): Promise<JavaValue> {
    return decodeAnswer(await this.line.ask(request));
  }
}

function reference(value: JavaValue, what: string): JavaReference {
  if (typeof value === "object" && value !== null) return value;
  throw new JavaFault(`${what}: ${JSON.stringify(String(value))} is no object`);
}
