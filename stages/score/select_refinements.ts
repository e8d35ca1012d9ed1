import type { Member, Scored } from "../record.ts";
import { pureStage, type Stage } from "../stage.ts";

/**
 * Which refinements of a Critique-GRPO group train:
 * - `original` (arXiv 2506.03106): all that there are, beside every first attempt;
 * - `released` (the R³L authors' code): of those that beat their own first attempt, the
 *   first one with the highest reward, in the place of that attempt.
 */
export type CritiqueForm = "original" | "released";

/** The stage that keeps the refinements which `form` trains. */
export function selectRefinements(form: CritiqueForm): Stage<Scored, Scored> {
  return pureStage("score", (group) => ({ ...group, members: selected(group.members, form) }));
}

function selected(members: readonly Member[], form: CritiqueForm): readonly Member[] {
  // No credit by pivots: a refinement begins at the first turn.
  if (form === "original") return members;
  const first = members.filter(({ kind }) => kind === "base");
  const rewardOf = new Map(first.map(({ attempt, reward }) => [attempt, reward]));
  const better = members.filter(({ kind, attempt, reward }) => {
    const before = rewardOf.get(attempt) ?? null;
    return kind === "retry" && reward !== null && before !== null && reward > before;
  });
  const best = Math.max(...better.map((member) => member.reward as number));
  const chosen = better.find(({ reward }) => reward === best);
  if (chosen === undefined) return first;
  return [...first.filter(({ attempt }) => attempt !== chosen.attempt), chosen];
}
