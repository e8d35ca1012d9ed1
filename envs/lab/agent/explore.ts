import type { TextEnv, Turn } from "../../env.ts";
import { plan } from "./plan.ts";
import { firstBelief, readObservation } from "./read_texts.ts";
import type { PlanStep } from "./steps.ts";

/** One command of an explorer and the answer. */
export interface ExplorerStep extends PlanStep {
  readonly turn: Turn;
}

/**
 * Plays an episode that was just reset by {@link plan} on what the texts say: a
 * lower bound for agents, without any knowledge of the hidden state.
 */
export async function explore(env: Pick<TextEnv, "step">, first: Turn): Promise<ExplorerStep[]> {
  const belief = firstBelief(first.observation);
  const steps: ExplorerStep[] = [];
  let turn = first;
  while (belief !== null && !turn.done) {
    const step = plan(belief);
    turn = await env.step(step.action);
    readObservation(belief, step.action, turn.observation);
    steps.push({ ...step, turn });
  }
  return steps;
}
