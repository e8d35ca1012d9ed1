import type { Amplified, Attempt } from "../record.ts";
import { pureStage, type Stage } from "../stage.ts";
import { gigpo, type GigpoOptions } from "./gigpo.ts";

/**
 * The stage that replaces the advantages of base attempts by those of {@link gigpo}, one
 * a turn: a turn's anchor is the observation that it answers, and the attempt's reward
 * comes with its last turn. `advantages` then holds each attempt's mean over turns.
 */
export function stepCredit(options: GigpoOptions = {}): Stage<Amplified, Amplified> {
  return pureStage("amplify", (group) => {
    const attempts = new Map(group.attempts.map((attempt) => [attempt.index, attempt]));
    const rows = group.members.flatMap((member, i) => {
      const attempt = attempts.get(member.attempt);
      const trains = member.kind === "base" && member.reward !== null && (attempt?.turns.length ?? 0) > 0;
      return trains && attempt !== undefined ? [{ i, attempt, reward: member.reward as number }] : [];
    });
    const turnAdvantages = gigpo(
      rows.map(({ attempt, reward }) => ({
        anchors: attempt.turns.map((_, k) => observationBefore(attempt, k)),
        rewards: attempt.turns.map((_, k) => (k === attempt.turns.length - 1 ? reward : 0)),
      })),
      options,
    );
    const advantages = group.members.map(() => 0);
    const tokenAdvantages = group.members.map(({ ids }) => new Array<number>(ids.length).fill(0));
    rows.forEach(({ i, attempt }, r) => {
      attempt.turns.forEach(({ start, end }, k) => tokenAdvantages[i].fill(turnAdvantages[r][k], start, end));
      advantages[i] = turnAdvantages[r].reduce((a, b) => a + b, 0) / turnAdvantages[r].length;
    });
    return { ...group, advantages, tokenAdvantages };
  });
}

function observationBefore(attempt: Attempt, turn: number): string {
  return turn === 0 ? attempt.firstObservation : attempt.turns[turn - 1].observation;
}
