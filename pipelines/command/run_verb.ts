import { Cause, Effect, Exit, Fiber, Logger, Result } from "effect";
import { ConfigError } from "../../stages/errors.ts";
import { terminalWidth } from "../terminal/terminal_width.ts";
import { printable } from "../terminal/printable.ts";
import { wrapMessage } from "../terminal/wrap_message.ts";
import { helpText } from "./help_text.ts";
import { type Arguments, readArguments } from "./read_arguments.ts";
import type { Verb } from "./verb.ts";

/** Exit codes that scripts may rely on. */
export const exitCodes = { success: 0, failure: 1, badInput: 2, interrupted: 130, terminated: 143 } as const;

/**
 * Runs a verb to its end and exits: 0 on success, 2 with every fault when the
 * input is wrong, 1 with one clear message when the run fails (a bug also shows
 * its stack), 130 after Ctrl-C, 143 after SIGTERM. The first signal interrupts
 * `main`, whose finalizers run; the second exits at once.
 */
export async function runVerb<E>(
  verb: Verb,
  main: (args: Arguments) => Effect.Effect<void, E>,
): Promise<never> {
  const args = readArguments(Deno.args);
  if (Result.isFailure(args)) Deno.exit(report(Cause.fail(args.failure), verb));
  if (args.success.help) {
    console.log(helpText(verb));
    Deno.exit(exitCodes.success);
  }
  // Yielding first lets the listener below hear a Ctrl-C from the first moment.
  const fiber = Effect.runFork(
    Effect.andThen(Effect.yieldNow, main(args.success)).pipe(Effect.provide(Logger.layer([warnings]))),
  );
  let stopped: number | undefined;
  const stopOn = (signal: Deno.Signal, code: number) =>
    Deno.addSignalListener(signal, () => {
      if (stopped !== undefined) Deno.exit(code);
      stopped = code;
      fiber.interruptUnsafe();
    });
  stopOn("SIGINT", exitCodes.interrupted);
  // Windows knows no SIGTERM.
  if (Deno.build.os !== "windows") stopOn("SIGTERM", exitCodes.terminated);
  const exit = await Effect.runPromise(Fiber.await(fiber));
  if (Exit.isSuccess(exit)) Deno.exit(exitCodes.success);
  Deno.exit(Cause.hasInterruptsOnly(exit.cause) ? stopped : report(exit.cause, verb));
}

/** What is logged while a verb runs, told as its errors are. */
const warnings = Logger.make(({ logLevel, message }) => {
  const texts = (Array.isArray(message) ? message : [message]).map(String);
  tell(`${logLevel === "Warn" ? "Warning" : logLevel}: ${texts.join(" ")}`);
});

/** A message on standard error, in lines that fit a terminal. */
function tell(message: string): void {
  console.error(wrapMessage(printable(message), terminalWidth(Deno.stderr) ?? Infinity));
}

/** Tells on standard error what went wrong, a terminal in lines that fit, and returns the exit code. */
function report(cause: Cause.Cause<unknown>, verb: Verb): number {
  const error = Cause.squash(cause);
  if (Cause.hasDies(cause)) {
    console.error(`A bug in Pivot stopped "deno task ${verb.name}"; please report it:`);
    console.error(error instanceof Error ? error.stack : error);
    return exitCodes.failure;
  }
  tell(error instanceof Error ? error.message : String(error));
  if (!(error instanceof ConfigError)) return exitCodes.failure;
  console.error(`See deno task ${verb.name} --help for every key.`);
  return exitCodes.badInput;
}
