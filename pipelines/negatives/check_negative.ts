import { Effect } from "effect";
import { Environment, type Turn } from "../../envs/env.ts";
import { type Row, RowFault, shown, text, texts, whole } from "../../envs/rows/row.ts";
import type { EnvError } from "../../stages/errors.ts";
import type { Negative } from "../../stages/negatives/negatives.ts";
import { Policy } from "../../stages/policy/policy.ts";
import { type Reflective, reflectiveOpening } from "../../stages/sample/reflective.ts";
import { Negatives } from "../../stages/negatives/negatives.ts";

/** What a row of golden negative trajectories is held against. */
export interface NegativeLimits {
  /** Holds `{problem}` and `{attempt}`. */
  readonly template: string;
  /** Most tokens of a prompt that shows it. */
  readonly maxPrompt: number;
  /** Replay the replies: none of them may win. */
  readonly verify: boolean;
}

/** One row: which task of split train it failed, by its id and position, how it replied, and what a prompt shows. */
export interface NegativeRow extends Negative {
  readonly index: number;
  /** The replies in full, one a turn. */
  readonly replies: readonly string[];
}

/** The fields of a row; a single reply is also what is shown if `attempt` is absent. @throws RowFault */
export function parseNegative(row: Row): NegativeRow {
  const replies = texts(row, "replies");
  if (replies.length === 0) throw new RowFault("replies", "expected at least one reply, got []");
  const attempt = row.attempt === undefined && replies.length === 1 ? replies[0] : text(row, "attempt");
  return { id: text(row, "id"), task: text(row, "task"), index: whole(row, "index"), replies, attempt };
}

/**
 * Fails with RowFault unless the row's task exists, its attempt fails it and a prompt
 * that shows it is short enough.
 */
export const checkNegative = Effect.fnUntraced(function* (row: NegativeRow, limits: NegativeLimits) {
  const environment = yield* Environment;
  const { chat } = yield* Policy;
  const { format } = environment;
  const asFault = (field: string) => (error: EnvError) => new RowFault(field, error.message);
  const task = yield* environment.task("train", row.index).pipe(Effect.mapError(asFault("index")));
  if (task.id !== row.task) {
    return yield* Effect.fail(
      new RowFault("task", `task ${row.index} of split train is ${task.id}, got ${shown(row.task)}`),
    );
  }
  const play = Effect.scoped(Effect.gen(function* () {
    const episode = yield* environment.open(task);
    const first = yield* episode.reset;
    let turn: Turn = first;
    for (const reply of limits.verify ? row.replies : []) {
      if (!turn.done) turn = yield* episode.step(format.action(reply));
    }
    return { first, won: turn.won };
  }));
  const { first, won } = yield* play.pipe(Effect.mapError(asFault("replies")));
  if (won) return yield* Effect.fail(new RowFault("replies", "the attempt is right, expected a failure"));
  const from: Reflective = { negatives: new Negatives([row]), share: () => 1, template: limits.template };
  const opening = reflectiveOpening(from, { task, first, seed: "", chat, format })!;
  const tokens = yield* Effect.try({
    try: () => opening().length,
    catch: (error) => new RowFault("attempt", (error as Error).message),
  });
  if (tokens > limits.maxPrompt) {
    return yield* Effect.fail(
      new RowFault("attempt", `a prompt with it has ${tokens} tokens, at most ${limits.maxPrompt} may be`),
    );
  }
});
