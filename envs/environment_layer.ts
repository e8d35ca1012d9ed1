import { Effect, Layer } from "effect";
import { EnvError } from "../stages/errors.ts";
import {
  Environment,
  type EnvironmentShape,
  type Episode,
  type EpisodeVerdict,
  type PromptFormat,
  type Snapshot,
  type Split,
  type Task,
  type TaskSource,
  type TextEnv,
  type Turn,
} from "./env.ts";

/** What {@link environmentLayer} makes the service from. */
export interface EnvironmentOptions {
  /** The environment's name in errors and records. */
  readonly name: string;
  /** A fresh environment, one for each open episode. */
  readonly make: () => TextEnv;
  readonly tasks: TaskSource;
  readonly format: PromptFormat;
  /** Deadline of one operation in milliseconds; a synchronous one cannot be cut short. */
  readonly timeoutMs: number;
  /** An expert's diagnosis of a finished episode, for evaluation. */
  readonly expert?: EnvironmentShape["expert"];
}

/** Longest reason of an error, in characters: it is stored with every attempt that it ended. */
const LONGEST_REASON = 500;

/**
 * The `Environment` service of a plain environment: whatever it or its format
 * throws, an answer after the deadline and an answer of another type than the
 * contract's become an `EnvError`. Turns and snapshots are copied, so an
 * environment may go on changing what it returned. `close` runs when the
 * episode's scope ends, whatever happened.
 */
export function environmentLayer(options: EnvironmentOptions): Layer.Layer<Environment> {
  const { name, make, tasks, expert } = options;
  return Layer.succeed(Environment, {
    name,
    format: guardFormat(options),
    ...(expert === undefined ? {} : { expert }),
    size: (split: Split) => tasks.size(split),
    task: (split: Split, index: number) =>
      guard(options, `${split}/${index}`, "task", () => tasks.task(split, index), aTask),
    open: (task: Task) =>
      Effect.acquireRelease(
        guard(options, task.id, "open", make, anObject),
        (env) => Effect.ignore(guard(options, task.id, "close", () => env.close?.(), anything)),
      ).pipe(Effect.map((env) => episodeOf(options, task, env))),
  });
}

function episodeOf(options: EnvironmentOptions, task: Task, env: TextEnv): Episode {
  const run = <A>(operation: string, body: () => A | PromiseLike<A>, kind: Kind<A>) =>
    guard(options, task.id, operation, body, kind);
  return {
    task,
    reset: run("reset", () => env.reset(task), aTurn),
    step: (action) => run("step", () => env.step(action), aTurn),
    snapshot: run("snapshot", () => env.snapshot(), aSnapshot),
    restore: (snapshot) => run("restore", () => env.restore(structuredClone(snapshot)), aTurn),
    fingerprint: run("fingerprint", () => env.fingerprint(), aText),
    oracle: run("oracle", () => env.oracle(), aList),
    feedback: run("feedback", () => env.feedback(), aText),
    verdict: run("give its verdict", () => env.verdict?.() ?? null, aVerdict),
  };
}

/** Checks an answer: its copy, or undefined if it is none of this kind. */
interface Kind<A> {
  readonly name: string;
  readonly read: (answer: A) => A | undefined;
}

function kind<A>(name: string, holds: (answer: unknown) => boolean): Kind<A> {
  return { name, read: (answer) => holds(answer) ? answer : undefined };
}

const isObject = (answer: unknown) => typeof answer === "object" && answer !== null;
const anything: Kind<unknown> = { name: "answer", read: () => true };
const anObject = kind<TextEnv>("environment", isObject);
const aText = kind<string>("text", (answer) => typeof answer === "string");
const aTask = kind<Task>("task", (answer) => {
  const { id, kind } = (answer ?? {}) as Partial<Task>;
  return typeof id === "string" && typeof kind === "string";
});
const aList = kind<string[]>(
  "list of texts",
  (answer) => Array.isArray(answer) && answer.every((item) => typeof item === "string"),
);
const outcomes = ["right", "wrong", "unparseable", "unchecked"];
const aVerdict = kind<EpisodeVerdict | null>("verdict", (answer) => {
  if (answer === null) return true;
  const { outcome, category, answer: said } = (answer ?? {}) as Partial<EpisodeVerdict>;
  return outcomes.includes(String(outcome)) && typeof category === "string" &&
    (said === null || typeof said === "string");
});
const aSnapshot: Kind<Snapshot> = {
  name: "snapshot",
  read: (answer) => answer === undefined ? undefined : structuredClone(answer),
};
const aTurn: Kind<Turn> = { name: "turn", read: (answer) => isTurn(answer) ? { ...answer } : undefined };

/** Runs one operation and checks its answer; only a promise needs the deadline's timer. */
function guard<A>(
  { name, timeoutMs }: EnvironmentOptions,
  task: string,
  operation: string,
  body: () => A | PromiseLike<A>,
  kind: Kind<A>,
): Effect.Effect<A, EnvError> {
  const failure = (reason: string) => new EnvError({ environment: name, task, operation, reason });
  const caught = (error: unknown) => error instanceof EnvError ? error : failure(describe(error));
  const checked = (answer: A): A => {
    const read = kind.read(answer);
    if (read === undefined) throw failure(`the answer is no ${kind.name}: ${show(answer)}`);
    return read;
  };
  return Effect.suspend(() => {
    try {
      const answer = body();
      if (!isPromise(answer)) return Effect.succeed(checked(answer));
      return Effect.tryPromise({ try: async () => checked(await answer), catch: caught }).pipe(
        Effect.timeoutOrElse({
          duration: timeoutMs,
          orElse: () => Effect.fail(failure(`timed out after ${timeoutMs} ms`)),
        }),
      );
    } catch (error) {
      return Effect.fail(caught(error));
    }
  });
}

/** The same format, whose functions throw nothing but EnvError and return nothing but texts. */
function guardFormat({ name, format }: EnvironmentOptions): PromptFormat {
  const guarded = (operation: string, run: () => string, task = "-"): string => {
    const failure = (reason: string) => new EnvError({ environment: name, task, operation, reason });
    let text: unknown;
    try {
      text = run();
    } catch (error) {
      throw failure(describe(error));
    }
    if (typeof text !== "string") throw failure(`the answer is no text: ${show(text)}`);
    return text;
  };
  return {
    system: (task) => guarded("format the system message", () => format.system(task), task.id),
    user: (turn, k, guidance) => guarded("format a turn", () => format.user(turn, k, guidance)),
    action: (reply) => guarded("read an action", () => format.action(reply)),
  };
}

function isPromise<A>(answer: A | PromiseLike<A>): answer is PromiseLike<A> {
  return isObject(answer) && typeof (answer as Partial<PromiseLike<A>>).then === "function";
}

/** What an error says; one that cannot even be shown is no reason to stop. */
function describe(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error).slice(0, LONGEST_REASON);
  } catch {
    return "it threw something that cannot be shown";
  }
}

function show(answer: unknown): string {
  try {
    return String(JSON.stringify(answer)).slice(0, 80);
  } catch {
    return `a ${typeof answer} that is no JSON`;
  }
}

function isTurn(answer: unknown): answer is Turn {
  if (typeof answer !== "object" || answer === null) return false;
  const { observation, reward, score, done, won, truncated } = answer as Partial<Record<string, unknown>>;
  return typeof observation === "string" && Number.isFinite(reward) && Number.isFinite(score) &&
    [done, won, truncated].every((flag) => typeof flag === "boolean");
}
