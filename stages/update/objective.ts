import { metricNames } from "../metrics/metric_names.ts";
import type { Metrics } from "../record.ts";
import { addDistillation } from "./distillation/add_distillation.ts";
import { evaluateLoss } from "./evaluate_loss.ts";
import { kl } from "./kl.ts";
import { losses } from "./losses.ts";
import { maskDivergent } from "./mask_divergent.ts";
import type { TrainBatch, TrainRow } from "./train_batch.ts";
import type { ObjectiveOptions } from "./update_options.ts";

/** The value of a step's objective and what the engine is to accumulate for it. */
export interface ObjectiveValue {
  /** −∂(total loss)/∂logp per row, policy rows first, then auxiliary rows. */
  readonly weights: readonly Float64Array[];
  /** Weights of the token entropies, if there is an entropy term. */
  readonly entropyWeights?: readonly Float64Array[];
  readonly metrics: Metrics;
}

/**
 * Total loss = policy loss + auxiliary −log π − entropyCoefficient·entropy +
 * klCoefficient·KL + distillation, as token weights. Pure; `logp` (and `reference`, where
 * a KL term or the loss reads it) has a row for every policy row, then for every auxiliary
 * row; `teacher` one for every policy row. Distillation in its full form is no function of
 * log-probabilities: the engine adds it.
 */
export function objective(
  batch: TrainBatch,
  logp: readonly ArrayLike<number>[],
  options: ObjectiveOptions = {},
  reference?: readonly ArrayLike<number>[],
  teacher?: readonly ArrayLike<number>[],
): ObjectiveValue {
  const { policy, auxiliary } = batch;
  const { distillation } = options;
  const hasRewards = distillation === undefined || distillation.taskRewards === true;
  const unguided = (options.retryOldLogprobs ?? "unguided") === "unguided";
  const policyLogp = logp.slice(0, policy.length);
  const rows = maskDivergent({
    logp: policyLogp,
    oldLogp: policy.map((row, i) => hasRatio(row, unguided) ? row.behaviour : policyLogp[i]),
    mask: policy.map((row) => row.mask),
    advantages: policy.map((row) => hasRewards ? row.tokenAdvantages ?? row.advantage : 0),
    offPolicy: policy.map((row) => row.kind === "retry" || row.kind === "demonstration"),
    groups: policy.map((row) => row.group),
    ...(reference === undefined ? {} : { refLogp: reference.slice(0, policy.length) }),
  }, options.divergenceLimit);
  const result = evaluateLoss(
    losses[options.loss ?? "policy_gradient"](options.lossOptions),
    rows,
    policy.map((row) => row.weight),
  );
  const metrics: Record<string, number> = { [metricNames.policyLoss]: result.value, ...result.metrics };
  if (options.divergenceLimit !== undefined) {
    const masked = rows.mask.filter((mask, i) => mask !== policy[i].mask).length;
    metrics[metricNames.divergentRate] = policy.length === 0 ? 0 : masked / policy.length;
  }
  const weights = result.dLogp.map((row) => row.map((d) => d === 0 ? 0 : -d));

  if (options.kl !== undefined && options.kl.coefficient !== 0) {
    if (reference === undefined) throw new RangeError("Cannot compute the KL term: no reference logp");
    metrics[metricNames.klLoss] = addKl(weights, policy, policyLogp, reference, options.kl);
    metrics[metricNames.klCoefficient] = options.kl.coefficient;
  }
  if (distillation?.form === "sampled") {
    if (teacher === undefined) throw new RangeError("Cannot distil: no teacher's logp");
    Object.assign(metrics, addDistillation(weights, policy, policyLogp, teacher, distillation));
  }
  let supervised = 0;
  auxiliary.forEach((row, k) => {
    const lp = logp[policy.length + k];
    weights.push(Float64Array.from(row.mask, (m) => m * row.weight));
    row.mask.forEach((m, t) => {
      if (m) supervised -= row.weight * lp[t];
    });
  });
  if (auxiliary.length > 0) metrics[metricNames.auxiliaryLoss] = supervised;

  const coefficient = options.entropyCoefficient ?? 0;
  if (coefficient === 0) return { weights, metrics };
  const entropyWeights = [
    ...policy.map((row) => Float64Array.from(row.mask, (m) => m * coefficient * row.weight)),
    ...auxiliary.map((row) => new Float64Array(row.ids.length)),
  ];
  return { weights, entropyWeights, metrics };
}

/** Whether a row's sampler is known in the context that is trained; the ratio of the others is 1. */
function hasRatio({ kind }: TrainRow, unguided: boolean): boolean {
  return kind !== "demonstration" && !(kind === "retry" && unguided);
}

/** Takes the KL term's gradient off `weights`; returns the aggregated KL. */
function addKl(
  weights: readonly Float64Array[],
  rows: readonly TrainRow[],
  logp: readonly ArrayLike<number>[],
  reference: readonly ArrayLike<number>[],
  { estimator, coefficient }: NonNullable<ObjectiveOptions["kl"]>,
): number {
  let total = 0;
  rows.forEach((row, i) => {
    for (let t = 0; t < row.mask.length; t++) {
      if (!row.mask[t]) continue;
      const [value, dLogp] = kl(estimator, logp[i][t], reference[i][t]);
      total += row.weight * value;
      weights[i][t] -= coefficient * row.weight * dLogp;
    }
  });
  return total;
}
