import type { Attempt, Sampled } from "../record.ts";
import { pureStage, type Stage } from "../stage.ts";

/**
 * Makes `copies` attempts of each failed one, so that as many reflections on the same
 * failure are one group (Reflect-Retry-Reward, arXiv 2505.24726). Copies share tokens
 * and turns; each has a session, and so random numbers, of its own. Won attempts and
 * those whose environment failed stay single.
 */
export function repeatFailures(copies: number): Stage<Sampled, Sampled> {
  return pureStage("sample", (group) => ({
    ...group,
    attempts: group.attempts.flatMap((attempt) => repeated(attempt, copies))
      .map((attempt, index) => ({ ...attempt, index })),
  }));
}

function repeated(attempt: Attempt, copies: number): readonly Attempt[] {
  if (attempt.won || attempt.failure !== undefined) return [attempt];
  return Array.from({ length: copies }, (_, i) => ({ ...attempt, session: `${attempt.session}/copy${i}` }));
}
