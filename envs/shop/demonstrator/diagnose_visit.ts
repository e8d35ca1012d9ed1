import type { ExpertDiagnosis, LogLine } from "../../env.ts";
import { ShopBelief } from "./shop_belief.ts";
import { shopPlan, type ShopStep } from "./shop_plan.ts";
import type { ShopWish } from "./wish.ts";

/**
 * An expert's diagnosis of a finished visit from its log alone. The cause is the
 * first condition that the verdict names; the pivot is the first turn that departs
 * from a planned step of the kind that the verdict names, and the suggestion is the
 * end that this step serves.
 *
 * @throws RangeError if the first page holds no generated instruction.
 */
export function diagnoseVisit(first: string, log: readonly LogLine[], feedback: string): ExpertDiagnosis {
  const belief = ShopBelief.start(first);
  if (belief === null) {
    throw new RangeError(`Cannot diagnose: no generated instruction in ${JSON.stringify(first)}`);
  }
  if (feedback.startsWith("Success")) {
    return { success: true, summary: "done", cause: "", pivot: 0, suggestion: "" };
  }
  const cause = feedback.replace(/^Failure: /, "").replace(/\.$/, "");
  const wanted = kindsNamedBy(cause, belief.wish);
  const opening = shopPlan(belief);
  let earliest: Fault | undefined;
  let named: Fault | undefined;
  log.forEach(({ action, observation }, turn) => {
    const step = shopPlan(belief);
    if (!agrees(action, step)) {
      earliest ??= { turn, step };
      if (wanted.includes(step.kind)) named ??= { turn, step };
    }
    belief.update(action, observation);
  });
  const { turn, step } = named ?? earliest ?? { turn: 0, step: opening };
  return { success: false, summary: summary(belief), cause, pivot: turn, suggestion: step.subgoal };
}

interface Fault {
  readonly turn: number;
  readonly step: ShopStep;
}

function kindsNamedBy(cause: string, { attributes }: ShopWish): readonly ShopStep["kind"][] {
  if (cause === "wrong product") return ["search", "title"];
  if (cause === "too expensive") return ["price"];
  if (cause === "not bought") return ["buy"];
  return attributes.includes(cause.replace(/^not /, "")) ? ["check", "title"] : ["option"];
}

function agrees(action: string, { action: planned, also = [] }: ShopStep): boolean {
  return [planned, ...also].some((command) => command.toLowerCase() === action.toLowerCase());
}

function summary({ current, products }: ShopBelief): string {
  return current === null ? `saw ${products.size}` : `took ${current}`;
}
