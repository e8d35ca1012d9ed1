import type { TextEnv, Turn } from "../env.ts";
import { Belief } from "./belief.ts";
import { plan, type PlanStep } from "./plan.ts";

/** One command of an explorer and the answer. */
export interface ExplorerStep extends PlanStep {
  readonly turn: Turn;
}

/**
 * Plays an episode that was just reset by {@link plan} on what the texts say: a
 * lower bound for agents, without any knowledge of the hidden state.
 */
export async function explore(env: Pick<TextEnv, "step">, first: Turn): Promise<ExplorerStep[]> {
  const belief = Belief.start(first.observation);
  const steps: ExplorerStep[] = [];
  let turn = first;
  while (belief !== null && !turn.done) {
    const step = plan(belief);
    turn = await env.step(step.action);
    belief.update(step.action, turn.observation);
    steps.push({ ...step, turn });
  }
  return steps;
}
