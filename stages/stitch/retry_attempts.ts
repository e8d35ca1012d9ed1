import { Effect } from "effect";
import { Environment, type Episode, type PromptFormat, type Turn } from "../../envs/env.ts";
import type { Chat } from "../policy/chat.ts";
import { Policy } from "../policy/policy.ts";
import type { Diagnosed, DiagnosedAttempt, Retry } from "../record.ts";
import { finishAttempt, type LiveAttempt } from "../sample/live_attempt.ts";
import { ifSayable } from "../sample/if_sayable.ts";
import { openOrExtend } from "../sample/open_or_extend.ts";
import { play, type PlayOptions } from "../sample/play.ts";
import { resumedAttempt } from "../sample/resumed_attempt.ts";
import { seedPath } from "../seed.ts";
import { distill } from "./distill.ts";

/** How retries are played. */
export interface RetryOptions extends PlayOptions {
  /**
   * What a retry from the first turn has in its context: `compact`, the guidance; `full`,
   * the whole failed attempt and the reflection on it, then the question again. Default `compact`.
   */
  readonly context?: "compact" | "full";
}

/** A retry to be made. */
export interface RetryPlan {
  readonly group: Diagnosed;
  /** What is retried: a base attempt, or the distilled view of retry `parent` of one. */
  readonly base: DiagnosedAttempt;
  readonly parent?: number;
  readonly order: number;
  readonly pivot: number;
  readonly text: string;
}

/** A retry and the group that it belongs to. */
export type OwnedRetry = readonly [group: Diagnosed, retry: Retry];

interface Opened {
  readonly live: LiveAttempt;
  readonly plan: RetryPlan;
  /** What the restored environment said at the pivot. */
  readonly restored: Turn;
  /** Whether it took a start from the first turn, because the turns before the pivot could not be replayed. */
  readonly fallen: boolean;
}

/** Plays the planned retries, all together. An environment that cannot be restored leaves its plan without a retry. */
export const retryAttempts = Effect.fnUntraced(
  function* (plans: readonly RetryPlan[], options: RetryOptions) {
    const { format } = yield* Environment;
    const { chat } = yield* Policy;
    const results = yield* Effect.forEach(plans, (plan) => Effect.option(open(plan, options)), {
      concurrency: options.concurrency,
    }).pipe(Effect.withSpan("environment"));
    const opened = results.flatMap((result) => (result._tag === "Some" ? [result.value] : []));
    yield* play(opened.map(({ live }) => live), options);
    return opened.flatMap((one) => finish(one, chat, format));
  },
  Effect.scoped,
);

/** Restores the environment at the pivot; the base's ids up to there are the prefix. */
const open = Effect.fnUntraced(function* (plan: RetryPlan, options: RetryOptions) {
  const { base } = plan;
  const environment = yield* Environment;
  const policy = yield* Policy;
  const episode = yield* environment.open(plan.group.task);
  yield* episode.reset;
  const { pivot, restored, fallen } = yield* restore(episode, base, plan.pivot);
  const live = resumedAttempt(base, pivot, {
    session: `${base.session}/retry${plan.order}`,
    seed: seedPath(base.session, "retry", plan.order),
    episode,
    version: yield* policy.version,
    current: restored,
    guidance: plan.text,
    ...(options.context === "full" && pivot === 0
      ? { opening: () => afterReflection(base, restored, policy.chat, environment.format) }
      : {}),
  });
  return { live, plan: { ...plan, pivot }, restored, fallen } satisfies Opened;
});

/** The failed attempt, the reflection on it, and the question once more. */
function afterReflection(
  { diagnosis: { tokens, invalid } }: DiagnosedAttempt,
  first: Turn,
  chat: Chat,
  format: PromptFormat,
): readonly number[] {
  return [...tokens.ids, ...chat.extend(format.user(first, 0, ""), invalid !== "truncated")];
}

/** At the pivot; from the first turn if a replay answers otherwise than the base attempt was answered. */
function restore(episode: Episode, { snapshots }: DiagnosedAttempt, pivot: number) {
  const at = (turn: number, fallen: boolean) =>
    Effect.map(episode.restore(snapshots[turn]), (restored) => ({ pivot: turn, restored, fallen }));
  return at(pivot, false).pipe(
    Effect.catch((error) =>
      error.divergedAt !== undefined && error.divergedAt > 0 ? at(0, true) : Effect.fail(error)
    ),
  );
}

/** The finished retry with its distilled view; none if it has no turn of its own (its context was full). */
function finish(
  { live, plan, restored, fallen }: Opened,
  chat: Chat,
  format: PromptFormat,
): OwnedRetry[] {
  const { group, base, pivot } = plan;
  const guided = finishAttempt(live);
  if (guided.turns.length <= pivot) return [];
  const turns = base.turns.slice(0, pivot);
  // A format that cannot say this turn without guidance, though it could with it, leaves no retry.
  const plain = ifSayable(() =>
    openOrExtend(turns, group.task, format.user(restored, pivot, ""), chat, format)
  );
  if (plain === undefined) return [];
  const before = pivot === 0 ? base.firstObservation : base.turns[pivot - 1].observation;
  return [[group, {
    base: base.index,
    order: plan.order,
    ...(plan.parent === undefined ? {} : { parent: plan.parent }),
    pivot,
    prefixLength: guided.turns[pivot].context,
    guidance: plan.text,
    guided,
    distilled: distill(base, guided, pivot, plain),
    diverged: fallen || restored.observation !== before,
  }]];
}
