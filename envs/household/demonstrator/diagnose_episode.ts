import type { ExpertDiagnosis, LogLine } from "../../env.ts";
import { Belief } from "../belief.ts";
import { typeOf } from "../catalog.ts";
import type { TaskKind } from "../goal.ts";
import { plan, type PlanStep } from "../plan.ts";

/**
 * An expert's diagnosis of a finished episode from its log and the verdict alone:
 * the pivot is the first turn that departs from an expert's step *of the kind that
 * the verdict names*, and the suggestion is the end which that step serves. Where
 * an object was later found is not used: it could not have been known.
 */
export function diagnoseEpisode(
  first: string,
  log: readonly LogLine[],
  feedback: string,
): ExpertDiagnosis {
  const belief = Belief.start(first);
  if (belief === null) throw new RangeError(`Cannot diagnose: no household task in ${JSON.stringify(first)}`);
  if (feedback.startsWith("Success")) {
    return { success: true, summary: "done", cause: "", pivot: 0, suggestion: "" };
  }
  const cause = feedback.replace(/^Failure: /, "").replace(/\.$/, "");
  const wanted = kindsNamedBy(cause, belief.goal.kind);
  const opening = plan(belief);
  let taken: string | null = null;
  let earliest: Fault | undefined;
  let named: Fault | undefined;
  log.forEach(({ action, observation }, turn) => {
    const step = plan(belief);
    if (!agrees(action, step, belief)) {
      earliest ??= { turn, step };
      if (wanted.includes(step.kind)) named ??= { turn, step };
    }
    belief.update(action, observation);
    if (belief.held !== null && typeOf(belief.held) === belief.goal.target) taken = belief.held;
  });
  const { turn, step } = named ?? earliest ?? { turn: 0, step: opening };
  return {
    success: false,
    summary: summary(cause, taken, belief),
    cause,
    pivot: turn,
    suggestion: step.subgoal,
  };
}

interface Fault {
  readonly turn: number;
  readonly step: PlanStep;
}

function kindsNamedBy(cause: string, kind: TaskKind): readonly PlanStep["kind"][] {
  if (cause === "not found") return ["look"];
  if (cause === "not taken") return ["take"];
  if (cause === "not hot" || cause === "not cool" || cause === "not clean") return ["state"];
  if (kind === "look_at_obj_in_light") return ["use", "look"];
  if (kind === "pick_two_obj_and_place") return ["take", "look", "move"];
  return ["move"];
}

/** Any unseen place is as good to look in, and any receptacle of the destination's type to bring it to. */
function agrees(action: string, step: PlanStep, belief: Belief): boolean {
  if (action === step.action) return true;
  const place = /^go to (.+)$/.exec(action)?.[1];
  if (place === undefined || !step.action.startsWith("go to ") || belief.here.has(place)) return false;
  if (step.kind === "look") {
    return belief.receptacles.includes(place) && !belief.contents.has(place);
  }
  return step.kind === "move" && belief.goal.kind !== "pick_two_obj_and_place" &&
    typeOf(place) === belief.goal.destination &&
    !belief.locked.has(place);
}

function summary(cause: string, taken: string | null, belief: Belief): string {
  if (cause === "not found") return `searched ${belief.contents.size}`;
  if (taken === null) return `found ${belief.goal.target}`;
  return `took ${taken}`;
}
