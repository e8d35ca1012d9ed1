import { Effect } from "effect";
import type { Distributions } from "../../engine/engine.ts";
import { EngineError } from "../../errors.ts";
import { metricNames } from "../../metrics/metric_names.ts";
import type { Metrics } from "../../record.ts";
import type { TrainRow } from "../train_batch.ts";
import type { DistillationOptions } from "./distillation_options.ts";
import { teacherRow, toPolicyPositions, toTeacherPositions } from "./teacher_row.ts";

/** What the teacher says about the rows' trained tokens: one of the two, by the form. */
export interface TeacherAnswer {
  /** log π_T of each token, at the policy's positions. */
  readonly logp?: readonly Float64Array[];
  /** π_T of the tokens with mask 1, in their order. */
  readonly distributions?: Distributions;
  readonly metrics: Metrics;
}

/** Scores the rows with the teacher, each after the opening that is meant for it. No gradient reaches it. */
export const askTeacher = Effect.fn("teacher")(function* (
  rows: readonly TrainRow[],
  { teacher, form }: DistillationOptions,
  temperature: number,
): Effect.fn.Return<TeacherAnswer, EngineError> {
  const views = rows.map((row) => teacherRow(row, teacher.contextLength));
  const ids = views.map((view) => view.ids);
  const select = views.map((view, i) => toTeacherPositions(rows[i].mask, view));
  const privileged = views.filter((view) => view.isPrivileged).length;
  const metrics = {
    [metricNames.privilegedRows]: privileged,
    [metricNames.privilegedTooLong]: rows.filter((row) => row.privileged !== undefined).length - privileged,
  };
  if (form === "sampled") {
    const { logprobs } = yield* teacher.logprobs(ids, { temperature, select });
    const logp = rows.map((row, i) => toPolicyPositions(logprobs[i], row.ids.length, views[i].shift));
    return { logp, metrics };
  }
  if (teacher.distributions === undefined) {
    const reason = "the teacher's engine keeps its distributions, which the form full needs";
    return yield* Effect.fail(new EngineError({ operation: "distil", reason }));
  }
  return { distributions: yield* teacher.distributions(ids, { select }), metrics };
});
