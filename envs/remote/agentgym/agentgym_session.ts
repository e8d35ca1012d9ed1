import type { Json } from "../../env.ts";
import { httpJson, type HttpLimits } from "../http_json.ts";
import { RemoteFault, shown } from "../remote_fault.ts";
import type { RemoteAnswer, RemoteSession } from "../remote_session.ts";
import { withRetries } from "../with_retries.ts";
import type { AgentGymGame } from "./agentgym_games.ts";

/** What an {@link AgentGymSession} needs. */
export interface AgentGymOptions {
  readonly url: URL;
  readonly game: AgentGymGame;
  readonly timeoutMs: number;
  /** Further tries to create or reset; a step is never tried twice. */
  readonly retries: number;
}

const maxBytes = 1 << 24;

/** One environment on an AgentGym server, over HTTP. Its faults come with status 200 and a field `error`. */
export class AgentGymSession implements RemoteSession {
  #id: Json = null;

  constructor(readonly options: AgentGymOptions) {}

  /** The servers greet at `GET /`; whatever a server says there, it is there. */
  async reach(): Promise<void> {
    try {
      await withRetries(this.options.retries, () => this.#get(""));
    } catch (error) {
      const { kind } = error as Partial<RemoteFault>;
      if (kind !== "failed" && kind !== "malformed") throw error;
    }
  }

  async reset(data: Json): Promise<RemoteAnswer> {
    const { game, retries } = this.options;
    return await withRetries(retries, async () => {
      if (this.#id === null) this.#id = idOf(await this.#post("create", {}));
      const answer = await this.#post("reset", { [game.id]: this.#id, ...game.reset, ...data as object });
      const text = game.first.length === 0
        ? await this.#get("observation")
        : game.first.map((field) => textAt(answer, field)).join("\n");
      if (typeof text !== "string") throw wrong("/observation", "no text", text);
      const score = game.score === undefined ? null : 0;
      return { observation: text, ...this.#commands(answer), reward: 0, score, done: false };
    });
  }

  async step(action: string): Promise<RemoteAnswer> {
    const { game } = this.options;
    if (this.#id === null) throw new RemoteFault("failed", "no episode has been reset");
    const answer = await this.#post("step", { [game.id]: this.#id, action });
    const { done } = answer as { done?: unknown };
    if (typeof done !== "boolean") throw wrong("done", "neither true nor false", done);
    return {
      observation: textAt(answer, game.text),
      ...this.#commands(answer),
      reward: numberAt(answer, "reward"),
      score: game.score === undefined ? null : numberAt(answer, game.score.field) / game.score.most,
      done,
    };
  }

  async close(): Promise<void> {
    const { game } = this.options;
    if (this.#id === null || !game.closes) return;
    // A server that does not let go costs us nothing more.
    await this.#post("close", { [game.id]: this.#id }).catch(() => {});
    this.#id = null;
  }

  #commands(answer: unknown): { readonly admissible?: readonly string[] } {
    const { admissible: field } = this.options.game;
    if (field === undefined) return {};
    const list = (answer as Record<string, unknown>)[field];
    if (Array.isArray(list) && list.every((item) => typeof item === "string")) return { admissible: list };
    throw wrong(field, "no list of texts", list);
  }

  #post(path: string, body: Json): Promise<unknown> {
    return this.#ask(path, "", body);
  }

  #get(path: string): Promise<unknown> {
    const query = `?${this.options.game.id}=${encodeURIComponent(String(this.#id))}`;
    return this.#ask(path, path === "" ? "" : query);
  }

  async #ask(path: string, search: string, body?: Json): Promise<unknown> {
    const { url, timeoutMs } = this.options;
    const address = new URL(url);
    address.pathname = url.pathname.replace(/\/*$/, `/${path}`);
    address.search = search;
    const limits: HttpLimits = { timeoutMs, maxBytes };
    const answer = await httpJson(address, body, limits);
    const { error } = Object(answer) as { error?: unknown };
    if (error !== undefined) throw new RemoteFault("failed", `/${path} says: ${shown(error)}`);
    return answer;
  }
}

/** `{"id": 3}`, or the bare number. */
function idOf(answer: unknown): Json {
  const id = typeof answer === "number" ? answer : (Object(answer) as { id?: unknown }).id;
  if (typeof id === "number" || typeof id === "string") return id;
  throw wrong("id", "no number", answer);
}

function textAt(answer: unknown, field: string): string {
  const value = (Object(answer) as Record<string, unknown>)[field];
  if (typeof value === "string") return value;
  throw wrong(field, "no text", value);
}

function numberAt(answer: unknown, field: string): number {
  const value = (Object(answer) as Record<string, unknown>)[field];
  if (typeof value === "number" && Number.isFinite(value)) return value;
  if (typeof value === "boolean") return Number(value);
  throw wrong(field, "no number", value);
}

function wrong(field: string, what: string, got: unknown): RemoteFault {
  return new RemoteFault("malformed", `the answer's field ${field} is ${what}, got ${shown(got)}`);
}
