import type { Json } from "../../env.ts";
import { notAllowed } from "../http_json.ts";
import { RemoteFault, shown } from "../remote_fault.ts";

/** How long and how much to wait for. */
export interface ConnectionLimits {
  /** For the connection and for each answer. */
  readonly timeoutMs: number;
  /** Longest frame in UTF-16 code units. */
  readonly maxLength: number;
}

interface Waiting {
  readonly resolve: (frame: string) => void;
  readonly reject: (fault: RemoteFault) => void;
}

/**
 * A WebSocket on which every question has one answer. After a late or surplus answer
 * nobody could tell which question the next one belongs to, so the connection ends.
 */
export class Connection {
  #waiting: Waiting | null = null;
  /** What the server said before it was asked, e.g. that it is full. */
  #early: string | null = null;
  #ended: RemoteFault | null = null;

  private constructor(readonly socket: WebSocket, readonly limits: ConnectionLimits) {
    socket.onmessage = ({ data }) => this.#take(data);
    socket.onerror = () => this.#end(new RemoteFault("lost", "the connection broke"));
    socket.onclose = ({ code, reason }) =>
      this.#end(
        new RemoteFault(
          "lost",
          `the server closed the connection (${code}${reason && `, ${shown(reason)}`})`,
        ),
      );
  }

  /** @throws RemoteFault `refused`, `denied` or `late` */
  static async open(url: URL, limits: ConnectionLimits): Promise<Connection> {
    const refused = (error: unknown) =>
      error instanceof Deno.errors.NotCapable
        ? notAllowed(url.host)
        : new RemoteFault("refused", `cannot connect to ${url.host}: ${shown((error as Error)?.message)}`);
    let connection: Connection;
    try {
      // Its listeners are there before the first frame can be.
      connection = new Connection(new WebSocket(url), limits);
    } catch (error) {
      throw refused(error);
    }
    const { socket } = connection;
    let timer: ReturnType<typeof setTimeout> | undefined;
    await new Promise<void>((resolve, reject) => {
      const late = `${url.host} did not open a connection within ${limits.timeoutMs} ms`;
      timer = setTimeout(() => {
        reject(new RemoteFault("late", late));
        socket.close();
      }, limits.timeoutMs);
      socket.addEventListener("open", () => resolve());
      socket.addEventListener("error", (event) => reject(refused((event as ErrorEvent).error ?? event)));
    }).finally(() => clearTimeout(timer));
    return connection;
  }

  /** Whether nothing more can be asked. */
  get ended(): boolean {
    return this.#ended !== null;
  }

  /** Sends a frame and gives the server's answer. @throws RemoteFault */
  async ask(frame: Json): Promise<string> {
    if (this.#early !== null) {
      const early = this.#early;
      this.#early = null;
      const fault = new RemoteFault("malformed", `the server spoke before it was asked: ${shown(early)}`);
      this.#end(fault);
      if (/"type"\s*:\s*"error"/.test(early)) return early;
      throw fault;
    }
    if (this.#ended) throw this.#ended;
    if (this.#waiting) throw new RemoteFault("failed", "asked again before the answer to the last question");
    let timer: ReturnType<typeof setTimeout> | undefined;
    const answer = new Promise<string>((resolve, reject) => {
      this.#waiting = { resolve, reject };
      timer = setTimeout(
        () => this.#end(new RemoteFault("late", `no answer within ${this.limits.timeoutMs} ms`)),
        this.limits.timeoutMs,
      );
    });
    try {
      this.socket.send(JSON.stringify(frame));
      return await answer;
    } finally {
      clearTimeout(timer);
      this.#waiting = null;
    }
  }

  /** Says good-bye, if that is still possible. */
  close(farewell: Json): void {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(farewell));
    this.#end(new RemoteFault("lost", "the connection was closed here"));
  }

  #take(data: unknown): void {
    if (typeof data !== "string") return this.#end(new RemoteFault("malformed", "a frame that is no text"));
    if (data.length > this.limits.maxLength) {
      return this.#end(
        new RemoteFault("malformed", `a frame of more than ${this.limits.maxLength} characters`),
      );
    }
    if (this.#waiting) {
      this.#waiting.resolve(data);
      this.#waiting = null;
    } else this.#early ??= data;
  }

  #end(fault: RemoteFault): void {
    if (this.#ended === null) this.#ended = fault;
    this.#waiting?.reject(this.#ended);
    this.#waiting = null;
    if (this.socket.readyState < WebSocket.CLOSING) this.socket.close();
  }
}
