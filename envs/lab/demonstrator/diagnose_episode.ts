import type { ExpertDiagnosis, LogLine } from "../../env.ts";
import type { Belief } from "../agent/belief.ts";
import { plan } from "../agent/plan.ts";
import { firstBelief, readObservation } from "../agent/read_texts.ts";
import type { PlanStep, StepKind } from "../agent/steps.ts";

/**
 * An expert's diagnosis of a finished episode from its log and the verdict alone:
 * the pivot is the first turn that departs from an expert's step *of the kind that
 * the verdict names*, and the suggestion is the end which that step serves.
 */
export function diagnoseEpisode(
  first: string,
  log: readonly LogLine[],
  feedback: string,
): ExpertDiagnosis {
  const belief = firstBelief(first);
  if (belief === null) throw new RangeError(`Cannot diagnose: no lab task in ${JSON.stringify(first)}`);
  if (feedback.startsWith("Success")) {
    return { success: true, summary: "done", cause: "", pivot: 0, suggestion: "" };
  }
  const cause = feedback.replace(/^Failure: /, "").replace(/\.$/, "");
  const wanted = causes[cause] ?? [];
  const opening = plan(belief);
  let earliest: Fault | undefined;
  let named: Fault | undefined;
  log.forEach(({ action, observation }, turn) => {
    const step = plan(belief);
    if (!agrees(action, step, belief)) {
      earliest ??= { turn, step };
      if (wanted.includes(step.kind)) named ??= { turn, step };
    }
    readObservation(belief, action, observation);
  });
  const { turn, step } = named ?? earliest ?? { turn: 0, step: opening };
  return { success: false, summary: summary(belief), cause, pivot: turn, suggestion: step.subgoal };
}

interface Fault {
  readonly turn: number;
  readonly step: PlanStep;
}

/** Kinds of step that a verdict blames. */
const causes: Readonly<Record<string, readonly StepKind[]>> = {
  "not focused": ["focus"],
  "not heated": ["place", "activate"],
  "not cooled": ["place", "activate"],
  "not boiled": ["activate", "wait"],
  "not melted": ["activate", "wait"],
  "not frozen": ["activate", "wait"],
  "not measured": ["measure"],
  "not tested": ["connect"],
  "not planted": ["place"],
  "not watered": ["water"],
  "not grown": ["wait"],
  "not poured": ["pour"],
  "not mixed": ["mix"],
  "not in box": ["box"],
  "wrong focus": ["focus", "pour", "mix"],
  "wrong box": ["measure", "connect", "box"],
  "wrong mix": ["pour"],
};

/** Any unseen room or closed cupboard is as good to look into. */
function agrees(action: string, step: PlanStep, belief: Belief): boolean {
  if (action === step.action) return true;
  if (step.kind !== "look") return false;
  const room = /^(?:go|teleport) to (.+)$/.exec(action)?.[1];
  return room !== undefined && belief.rooms.includes(room) && !belief.seen.has(room);
}

function summary({ seen, focus }: Belief): string {
  return focus === null ? `saw ${seen.size}` : `focused ${focus}`;
}
