import { Effect, Layer } from "effect";
import { FileError } from "../../stages/errors.ts";
import type { Environment, PromptFormat, TaskSource } from "../env.ts";
import { environmentLayer } from "../environment_layer.ts";
import { Question, type QuestionOptions } from "./question.ts";

/** What {@link questionLayer} makes the service from. */
export interface QuestionLayerOptions extends QuestionOptions {
  readonly format: PromptFormat;
  readonly timeoutMs: number;
  /** Reads or generates the tasks; `warn` takes what a person should know. */
  readonly tasks: (warn: (message: string) => void) => TaskSource | Promise<TaskSource>;
  /** Runs when the service ends. */
  readonly close?: () => void;
}

/** The `Environment` service of single questions, with their tasks read first. */
export function questionLayer(options: QuestionLayerOptions): Layer.Layer<Environment, FileError> {
  return Layer.unwrap(Effect.gen(function* () {
    const warnings: string[] = [];
    const tasks = yield* Effect.tryPromise({
      try: async () => await options.tasks((message) => warnings.push(message)),
      catch: (error) =>
        error instanceof FileError ? error : new FileError({ path: options.name, reason: String(error) }),
    });
    for (const warning of warnings) yield* Effect.logWarning(warning);
    yield* Effect.addFinalizer(() => Effect.sync(() => options.close?.()));
    const { name, format, timeoutMs } = options;
    return environmentLayer({ name, make: () => new Question(options), tasks, format, timeoutMs });
  }));
}
