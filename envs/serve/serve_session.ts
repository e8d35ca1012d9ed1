import { Effect, Exit, Scope } from "effect";
import type { EnvError } from "../../stages/errors.ts";
import type { EnvironmentShape, Episode, Json, Turn } from "../env.ts";
import { readMessage, type ResetRequest } from "./read_message.ts";
import { ServeFault } from "./serve_fault.ts";

/** What the sessions of a server share. */
export interface ServeContext {
  readonly environment: EnvironmentShape;
  /** Position of the next episode of which a client does not say where it begins. */
  next: number;
}

/**
 * One client's environment over OpenEnv: messages in, frames out, one episode at a
 * time. It answers whatever is wrong with an error frame and lives on.
 */
export class ServeSession {
  #episode: { readonly episode: Episode; readonly scope: Scope.Closeable } | null = null;
  #id: string | null = null;
  #steps = 0;

  constructor(readonly context: ServeContext) {}

  /** The frame to answer with, or null if the client said good-bye. Never rejects. */
  async answer(text: string): Promise<Json> {
    try {
      const message = readMessage(text);
      switch (message.type) {
        case "reset":
          return await this.#reset(message.request);
        case "step":
          return await this.#step(message.message);
        case "state":
          return { type: "state", data: this.#state() };
        case "close":
          return null;
      }
    } catch (error) {
      const { code, errors = [] } = error as Partial<ServeFault>;
      const known = error instanceof ServeFault;
      return {
        type: "error",
        data: {
          message: String((error as Error).message ?? error),
          code: known ? code! : "EXECUTION_ERROR",
          ...(known && errors.length > 0 && { errors: errors.map((one) => ({ ...one, loc: [...one.loc] })) }),
        },
      };
    }
  }

  /** Releases what the open episode holds. */
  async close(): Promise<void> {
    const open = this.#episode;
    this.#episode = null;
    if (open !== null) await Effect.runPromise(Scope.close(open.scope, Exit.void));
  }

  async #reset({ split, index, wraps, episodeId }: ResetRequest): Promise<Json> {
    await this.close();
    const { environment } = this.context;
    const size = environment.size(split);
    if (size === 0) throw new ServeFault("EXECUTION_ERROR", `split ${split} has no tasks`);
    const position = index ?? this.context.next++;
    if (!wraps && position >= size) {
      const msg = `Input should be less than ${size}, the tasks of split ${split}`;
      throw new ServeFault("VALIDATION_ERROR", "Invalid message", [{
        type: "less_than",
        loc: ["index"],
        msg,
      }]);
    }
    const task = await run(environment.task(split, Number.isFinite(size) ? position % size : position));
    const scope = Scope.makeUnsafe();
    try {
      const episode = await run(Effect.provideService(environment.open(task), Scope.Scope, scope));
      const turn = await run(episode.reset);
      this.#episode = { episode, scope };
      this.#id = episodeId ?? task.id;
      this.#steps = 0;
      return this.#frame(turn, null, "");
    } catch (error) {
      await Effect.runPromise(Scope.close(scope, Exit.void));
      throw error;
    }
  }

  async #step(message: string): Promise<Json> {
    if (this.#episode === null) throw new ServeFault("EXECUTION_ERROR", "no episode has been reset");
    const { environment } = this.context;
    const { episode } = this.#episode;
    const turn = await run(episode.step(environment.format.action(message)));
    this.#steps++;
    return this.#frame(turn, turn.reward, turn.done ? await run(episode.feedback) : "");
  }

  #frame(turn: Turn, reward: number | null, feedback: string): Json {
    const { observation: text, admissible = null, score, done, won, truncated } = turn;
    return {
      type: "observation",
      data: {
        observation: {
          text,
          messages: done ? [] : this.#messages(turn),
          admissible: admissible === null ? null : [...admissible],
          score,
          won,
          truncated,
          verdict: feedback === "" ? {} : { feedback },
          metadata: {},
        },
        reward,
        done,
      },
    };
  }

  /** What a chat gets from this turn, in the environment's own format. */
  #messages(turn: Turn): Json[] {
    const { format } = this.context.environment;
    const user = { role: "user", content: format.user(turn, this.#steps, "") };
    const system = this.#steps > 0 || this.#episode === null ? "" : format.system(this.#episode.episode.task);
    return system === "" ? [user] : [{ role: "system", content: system }, user];
  }

  #state(): Json {
    const task = this.#episode?.episode.task;
    return {
      episode_id: this.#id,
      step_count: this.#steps,
      task_id: task?.id ?? null,
      kind: task?.kind ?? null,
    };
  }
}

function run<A>(effect: Effect.Effect<A, EnvError>): Promise<A> {
  return Effect.runPromise(effect);
}
