import type { RemoteConfig } from "../../../stages/config/remote_config.ts";
import type { Json } from "../../env.ts";
import { httpJson } from "../http_json.ts";
import { RemoteFault, shown } from "../remote_fault.ts";
import type { RemoteAnswer, RemoteSession } from "../remote_session.ts";
import { withRetries } from "../with_retries.ts";
import { Connection } from "./connection.ts";
import { findFields, type OpenEnvFields, WHOLE } from "./find_fields.ts";
import { type OpenEnvFrame, readFrame } from "./read_frame.ts";
import { readObservation } from "./read_observation.ts";

/** Longest answer that is read: observations are texts. */
const maxLength = 1 << 24;

/** What the sessions at one server share. */
export interface OpenEnvServer {
  readonly url: URL;
  readonly config: RemoteConfig;
  readonly timeoutMs: number;
  /** The fields in use, asked for once; forgotten when that fails. */
  fields?: Promise<OpenEnvFields>;
}

/**
 * One WebSocket, and so one environment, on an OpenEnv server. A connection that
 * ends takes its episode along: it is never resumed.
 */
export class OpenEnvSession implements RemoteSession {
  #connection: Connection | null = null;
  #fields: OpenEnvFields | null = null;

  constructor(readonly server: OpenEnvServer) {}

  async reach(): Promise<void> {
    this.#fields = await fieldsOf(this.server);
    await withRetries(this.server.config.retries, () => this.#connect());
  }

  async reset(data: Json): Promise<RemoteAnswer> {
    this.#fields = await fieldsOf(this.server);
    return await withRetries(this.server.config.retries, async () => {
      if (this.#connection === null || this.#connection.ended) await this.#connect();
      return await this.#ask({ type: "reset", data }, "reset");
    });
  }

  async step(action: string): Promise<RemoteAnswer> {
    const { action_extra: extra } = this.server.config;
    const { action: field } = this.#fields!;
    const data = field === WHOLE ? { ...extra, ...asObject(action) } : { ...extra, [field]: action };
    return await this.#ask({ type: "step", data: data as Json }, "step");
  }

  close(): Promise<void> {
    this.#connection?.close({ type: "close" });
    return Promise.resolve();
  }

  async #connect(): Promise<void> {
    const { url, timeoutMs } = this.server;
    const address = addressOf(url, "/ws", ["ws:", "wss:"]);
    this.#connection = await Connection.open(address, { timeoutMs, maxLength });
  }

  async #ask(frame: Json, operation: "reset" | "step"): Promise<RemoteAnswer> {
    if (this.#connection === null) throw new RemoteFault("failed", "no episode has been reset");
    const answer = readFrame(await this.#connection.ask(frame));
    if (answer.type === "error") throw this.#faultOf(answer, operation);
    if (answer.type !== "observation") {
      throw new RemoteFault("malformed", `the answer to ${operation} is of type ${answer.type}`);
    }
    return readObservation(answer, this.#fields!.text, this.server.config);
  }

  #faultOf({ code, message }: Extract<OpenEnvFrame, { type: "error" }>, operation: string): RemoteFault {
    if (code === "VALIDATION_ERROR" && operation === "step") return new RemoteFault("bad_action", message);
    if (code !== "CAPACITY_REACHED") return new RemoteFault("failed", `the server says ${code}: ${message}`);
    this.#connection?.close({ type: "close" });
    return new RemoteFault(
      "full",
      `the server is full: ${message} (start it with max_concurrent_envs of at least the attempts of a batch)`,
    );
  }
}

/** The fields to use; `/schema` is asked only for what the configuration leaves open. */
function fieldsOf(server: OpenEnvServer): Promise<OpenEnvFields> {
  const { config, url, timeoutMs } = server;
  const named = {
    ...(config.action_field !== null && { action: config.action_field }),
    ...(config.text_field !== null && { text: config.text_field }),
  };
  server.fields ??= (async () => {
    if (named.action !== undefined && named.text !== undefined) return findFields(null, named);
    const address = addressOf(url, "/schema", ["http:", "https:"]);
    const limits = { timeoutMs, maxBytes: maxLength };
    return findFields(await withRetries(config.retries, () => httpJson(address, undefined, limits)), named);
  })();
  server.fields.catch(() => delete server.fields);
  return server.fields;
}

/** A path below the server's address, by the plain or the encrypted one of two protocols. */
function addressOf(url: URL, path: string, [plain, encrypted]: readonly [string, string]): URL {
  const address = new URL(url);
  address.pathname = url.pathname.replace(/\/*$/, path);
  address.protocol = /^(http|ws):$/.test(url.protocol) ? plain : encrypted;
  return address;
}

function asObject(reply: string): object {
  let value: unknown;
  try {
    value = JSON.parse(reply);
  } catch {
    // Falls through: said below.
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw new RemoteFault("bad_action", `not a JSON object: ${shown(reply)}`);
}
