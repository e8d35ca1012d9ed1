import { Effect, Stream } from "effect";
import type { Environment } from "../../../envs/env.ts";
import { type PolicyError, ScoreError } from "../../errors.ts";
import type { Policy } from "../../policy/policy.ts";
import type { Amplified } from "../../record.ts";
import type { Stage } from "../../stage.ts";
import { mean } from "../_statistics.ts";
import { type StateValueOptions, stateValues } from "./state_values.ts";
import { vineAdvantages } from "./vine_advantages.ts";
import { whitenTokens } from "./whiten_tokens.ts";

/** Settings of {@link vineCredit}. */
export interface VineOptions extends StateValueOptions {
  /** Advantages are normalised over all trained tokens of a step. */
  readonly whiten: boolean;
  /** Groups of one optimiser step. */
  readonly groups: number;
}

/**
 * The stage that replaces the advantages of base attempts by one a turn: how much the
 * turn changed the expected reward, by {@link stateValues}. `advantages` then holds each
 * attempt's mean over turns.
 */
export function vineCredit(
  options: VineOptions,
): Stage<Amplified, Amplified, PolicyError | ScoreError, Policy | Environment> {
  const each = (group: Amplified) => valued(group, options).pipe(Effect.withSpan("amplify"));
  return (self) => {
    const groups = self.pipe(Stream.mapEffect(each));
    if (!options.whiten) return groups;
    return groups.pipe(
      Stream.grouped(options.groups),
      Stream.flatMap((step) => Stream.fromIterable(whitenTokens(step))),
    );
  };
}

const valued = Effect.fnUntraced(
  function* (group: Amplified, options: VineOptions) {
    const attempts = new Map(group.attempts.map((attempt) => [attempt.index, attempt]));
    const rows = group.members.flatMap(({ kind, attempt: index, reward }, i) => {
      const attempt = attempts.get(index);
      if (kind !== "base" || reward === null || attempt === undefined) return [];
      return attempt.turns.length === 0 ? [] : [{ i, attempt, reward }];
    });
    const values = yield* stateValues(group, rows.map(({ attempt }) => attempt), options);
    const fallback = mean(rows.map(({ reward }) => reward));
    const advantages = group.members.map(() => 0);
    const tokenAdvantages = group.members.map(({ ids }) => new Array<number>(ids.length).fill(0));
    rows.forEach(({ i, attempt, reward }, r) => {
      const turns = vineAdvantages(values[r], reward, fallback);
      attempt.turns.forEach(({ start, end }, k) => tokenAdvantages[i].fill(turns[k], start, end));
      advantages[i] = mean(turns);
    });
    return { ...group, advantages, tokenAdvantages };
  },
  (effect) =>
    effect.pipe(
      // The reward rule throws what is an error of the run here.
      Effect.catchDefect((defect) => defect instanceof ScoreError ? Effect.fail(defect) : Effect.die(defect)),
    ),
);
