import { Effect, Layer } from "effect";
import { EnvError } from "../stages/errors.ts";
import {
  Environment,
  type EnvironmentShape,
  type Episode,
  type PromptFormat,
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

/**
 * The `Environment` service of a plain environment: whatever it throws, an
 * answer after the deadline and a turn that is none become an `EnvError`;
 * `close` runs when the episode's scope ends, whatever happened.
 */
export function environmentLayer(options: EnvironmentOptions): Layer.Layer<Environment> {
  const { name, make, tasks, format, expert } = options;
  return Layer.succeed(Environment, {
    name,
    format,
    ...(expert === undefined ? {} : { expert }),
    size: (split: Split) => tasks.size(split),
    task: (split: Split, index: number) =>
      guard(options, `${split}/${index}`, "task", () => tasks.task(split, index)),
    open: (task: Task) =>
      Effect.acquireRelease(
        guard(options, task.id, "open", make),
        (env) => Effect.ignore(guard(options, task.id, "close", () => env.close?.())),
      ).pipe(Effect.map((env) => episodeOf(options, task, env))),
  });
}

function episodeOf(options: EnvironmentOptions, task: Task, env: TextEnv): Episode {
  const run = <A>(operation: string, body: () => A | Promise<A>) => guard(options, task.id, operation, body);
  const turn = (operation: string, body: () => Turn | Promise<Turn>) =>
    run(operation, body).pipe(
      Effect.flatMap((answer) =>
        isTurn(answer) ? Effect.succeed(answer) : Effect.fail(
          new EnvError({
            environment: options.name,
            task: task.id,
            operation,
            reason: `the answer is no turn: ${String(JSON.stringify(answer)).slice(0, 80)}`,
          }),
        )
      ),
    );
  return {
    task,
    reset: turn("reset", () => env.reset(task)),
    step: (action) => turn("step", () => env.step(action)),
    snapshot: run("snapshot", () => env.snapshot()),
    restore: (snapshot) => turn("restore", () => env.restore(snapshot)),
    fingerprint: run("fingerprint", () => env.fingerprint()),
    oracle: run("oracle", () => env.oracle()),
    feedback: run("feedback", () => env.feedback()),
  };
}

/** Runs one operation; only a promise needs the deadline's timer. */
function guard<A>(
  { name, timeoutMs }: EnvironmentOptions,
  task: string,
  operation: string,
  body: () => A | Promise<A>,
): Effect.Effect<A, EnvError> {
  const failure = (reason: string) => new EnvError({ environment: name, task, operation, reason });
  const caught = (error: unknown) =>
    error instanceof EnvError ? error : failure(error instanceof Error ? error.message : String(error));
  return Effect.suspend(() => {
    let answer: A | Promise<A>;
    try {
      answer = body();
    } catch (error) {
      return Effect.fail(caught(error));
    }
    if (!(answer instanceof Promise)) return Effect.succeed(answer);
    const pending = answer;
    return Effect.tryPromise({ try: () => pending, catch: caught }).pipe(
      Effect.timeoutOrElse({
        duration: timeoutMs,
        orElse: () => Effect.fail(failure(`timed out after ${timeoutMs} ms`)),
      }),
    );
  });
}

function isTurn(answer: unknown): answer is Turn {
  if (typeof answer !== "object" || answer === null) return false;
  const { observation, reward, score, done, won, truncated } = answer as Partial<Record<string, unknown>>;
  return typeof observation === "string" && typeof reward === "number" && typeof score === "number" &&
    [done, won, truncated].every((flag) => typeof flag === "boolean");
}
