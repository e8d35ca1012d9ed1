import { Effect } from "effect";
import { Environment, type Task } from "../../envs/env.ts";
import type { EnvError } from "../../stages/errors.ts";
import type { Message } from "../../stages/policy/chat.ts";

/** Why a task cannot be shown, or the conversation that solves it. */
export type Demonstration = { readonly messages: readonly Message[] } | { readonly unsolved: string };

/**
 * Plays a task by the environment's own solution, as a policy would: the observations
 * in the environment's format and one command a reply.
 */
export const demonstrateTask: (task: Task) => Effect.Effect<Demonstration, EnvError, Environment> = Effect.fn(
  "demonstrateTask",
)(function* (task: Task) {
  const { format, open } = yield* Environment;
  return yield* Effect.scoped(Effect.gen(function* () {
    const episode = yield* open(task);
    let turn = yield* episode.reset;
    const commands = yield* episode.oracle;
    const system = format.system(task);
    const messages: Message[] = system === "" ? [] : [{ role: "system", content: system }];
    for (const [k, command] of commands.entries()) {
      if (turn.done) break;
      if (format.action(command) !== command) return { unsolved: "its format does not take bare commands" };
      messages.push(
        { role: "user", content: format.user(turn, k, "") },
        { role: "assistant", content: command },
      );
      turn = yield* episode.step(command);
    }
    if (commands.length === 0) return { unsolved: "no solution is known" };
    return turn.won ? { messages } : { unsolved: "the known solution does not win" };
  }));
});
