import { Effect } from "effect";
import { Environment, type PromptFormat } from "../../envs/env.ts";
import { EnvError, PolicyError } from "../errors.ts";
import type { Chat } from "../policy/chat.ts";
import { type Generation, Policy } from "../policy/policy.ts";
import { seedPath } from "../seed.ts";
import { appendIds, isOver, type LiveAttempt } from "./live_attempt.ts";
import { openOrExtend } from "./open_or_extend.ts";

/** How attempts are played. */
export interface PlayOptions {
  /** Sampling temperature; 0 = greedy. */
  readonly temperature: number;
  /** Most tokens of one reply. */
  readonly maxTokens: number;
  /** How many environments step at once; changes nothing but speed. */
  readonly concurrency: number;
}

/**
 * Plays attempts to their end in lock-step: one decoding batch a turn over all
 * that are still running, then one environment step each. Which sequences share a
 * batch follows from the tokens alone, so neither a slow environment nor
 * `concurrency` changes a result. An environment that fails ends its own attempt,
 * as data; a policy that fails ends the run.
 */
export const play = Effect.fn("play")(function* (attempts: readonly LiveAttempt[], options: PlayOptions) {
  const policy = yield* Policy;
  const { format } = yield* Environment;
  const each = <A>(live: readonly LiveAttempt[], run: (one: LiveAttempt) => Effect.Effect<A, EnvError>) =>
    Effect.forEach(live, (one) => failAsData(one, run(one)), {
      concurrency: options.concurrency,
      discard: true,
    }).pipe(Effect.withSpan("environment"));

  for (let running = attempts.filter((live) => !isOver(live)); running.length > 0;) {
    yield* each(running, (live) => Effect.map(live.episode.snapshot, (state) => live.snapshots.push(state)));
    const asked: Asked[] = [];
    for (const live of running.filter((live) => !isOver(live))) {
      const context = live.ids.length;
      const user = orFailure(live, () => userIds(live, policy.chat, format));
      if (user === undefined) continue;
      appendIds(live, user);
      if (live.ids.length < policy.contextLength) asked.push({ live, context, start: live.ids.length });
      else dropOverlong(live, context);
    }
    const replies = yield* policy.generate(asked.map(({ live }) => request(live, options)));
    const step = new Map(asked.map((a, i) => [a.live, takeReply(a, replies[i], policy.chat, format)]));
    yield* each(asked.map((a) => a.live), (live) => step.get(live)!);
    running = running.filter((live) => !isOver(live));
  }
  yield* each(
    attempts.filter((live) => live.failure === undefined),
    (live) =>
      Effect.gen(function* () {
        live.feedback = yield* live.episode.feedback;
        const verdict = yield* live.episode.verdict ?? Effect.succeed(null);
        if (verdict === null) return;
        live.verdict = verdict;
        // Neither right nor wrong: such an attempt must not be trained as a failure.
        if (verdict.outcome === "unchecked") {
          live.failure = `the answer was not checked (${verdict.category})`;
        }
      }),
  );
}) satisfies (
  attempts: readonly LiveAttempt[],
  options: PlayOptions,
) => Effect.Effect<void, PolicyError, Policy | Environment>;

interface Asked {
  readonly live: LiveAttempt;
  readonly context: number;
  readonly start: number;
}

/** What the environment said, as ids. */
function userIds(live: LiveAttempt, chat: Chat, format: PromptFormat): number[] {
  const turn = live.turns.length;
  if (turn === 0 && live.opening !== undefined) return [...live.opening()];
  const user = format.user(live.current, turn, live.guidance?.turn === turn ? live.guidance.text : "");
  return openOrExtend(live.turns, live.episode.task, user, chat, format);
}

/** An observation that does not fit ends the attempt; the turns before it are kept. */
function dropOverlong(live: LiveAttempt, context: number): void {
  live.ids.length = live.mask.length = live.logprobs.length = context;
  live.snapshots.pop();
  live.truncated = true;
}

function request(live: LiveAttempt, options: PlayOptions) {
  return {
    ids: live.ids,
    maxTokens: options.maxTokens,
    temperature: options.temperature,
    seed: seedPath(live.seed, live.turns.length),
    session: live.session,
    ...(live.parent === undefined ? {} : { parent: live.parent }),
  };
}

/** Appends the reply and returns the environment step that it asks for. */
function takeReply({ live, context, start }: Asked, reply: Generation, chat: Chat, format: PromptFormat) {
  appendIds(live, reply.ids, reply.logprobs);
  const spoken = reply.stopReason === "stop" ? reply.ids.slice(0, -1) : reply.ids;
  const action = orFailure(live, () => format.action(chat.decode(spoken)));
  const turn = { context, start, end: live.ids.length, action: action ?? "", stopReason: reply.stopReason };
  live.turns.push({ ...turn, observation: "", reward: null });
  if (action === undefined) return Effect.void;
  return Effect.map(live.episode.step(action), (answer) => {
    live.turns[live.turns.length - 1] = { ...turn, observation: answer.observation, reward: answer.reward };
    live.current = answer;
    if (reply.stopReason === "context") live.truncated = true;
  });
}

/** What `run` returns; a format or a chat template that cannot serve this attempt ends it, as data. */
function orFailure<A>(live: LiveAttempt, run: () => A): A | undefined {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof EnvError || error instanceof PolicyError)) throw error;
    live.failure = error.message;
    return undefined;
  }
}

function failAsData<A>(live: LiveAttempt, run: Effect.Effect<A, EnvError>): Effect.Effect<void> {
  return Effect.matchEffect(run, {
    onSuccess: () => Effect.void,
    onFailure: (error) =>
      Effect.sync(() => {
        live.failure = error.message;
      }),
  });
}
