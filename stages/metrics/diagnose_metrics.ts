import type { DiagnosedAttempt, Metrics, Stitched } from "../record.ts";
import { ifAny, mean } from "./_mean.ts";
import { metricNames as names } from "./metric_names.ts";

/**
 * Share of valid reports among the attempts that were diagnosed, and the confusion
 * of what valid reports claim with what the environment says (shares that sum to
 * 1; `success_but_inefficient` claims success).
 */
export function diagnoseMetrics(groups: readonly Stitched[]): Metrics {
  const asked = groups.flatMap(reflectedOn).filter((a) => a.diagnosis.invalid !== "not_asked");
  const verdicts = asked.flatMap((a) => {
    const report = a.diagnosis.report;
    return report === null || a.reward === null
      ? []
      : [{ claims: report.trajectory_outcome !== "failure", won: a.won }];
  });
  const share = (claims: boolean, won: boolean) =>
    mean(verdicts.map((v) => Number(v.claims === claims && v.won === won)));
  return {
    ...ifAny(asked.map((a) => Number(a.diagnosis.report !== null)), { [names.diagnoseValidRate]: mean }),
    ...(verdicts.length === 0 ? {} : {
      [names.claimedSuccessRealSuccess]: share(true, true),
      [names.claimedSuccessRealFailure]: share(true, false),
      [names.claimedFailureRealSuccess]: share(false, true),
      [names.claimedFailureRealFailure]: share(false, false),
    }),
  };
}

/** Base attempts, and the retries that another retry may follow. */
function reflectedOn({ attempts, retries }: Stitched): readonly DiagnosedAttempt[] {
  const between = retries.flatMap(({ distilled, diagnosis }) =>
    diagnosis === undefined ? [] : [{ ...distilled, diagnosis }]
  );
  return [...attempts, ...between];
}
