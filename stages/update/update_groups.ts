import { Effect } from "effect";
import { Engine, type Logprobs } from "../engine/engine.ts";
import { EngineError } from "../errors.ts";
import { groupMetrics } from "../metrics/group_metrics.ts";
import { metricNames } from "../metrics/metric_names.ts";
import { staleness } from "../metrics/staleness.ts";
import { tokenMetrics } from "../metrics/token_metrics.ts";
import type { Amplified, StepReport } from "../record.ts";
import { askTeacher } from "./distillation/ask_teacher.ts";
import { comparedTokens, divergenceMetrics, divergenceWeights } from "./distillation/full_form.ts";
import { losses } from "./losses.ts";
import { objective } from "./objective.ts";
import { type TrainBatch, trainBatch } from "./train_batch.ts";
import type { UpdateOptions } from "./update_options.ts";

/**
 * One optimiser step on these groups. A forward pass for log-probabilities is made
 * only if the loss or a KL term reads them and the policy has moved since it sampled; then one `accumulate` with weights
 * −∂L/∂logp and one `optimStep`. If no row gets gradient the engine is not called
 * and the report says so (`training/empty_batch`). A loss that is no number fails
 * before it can reach the weights.
 */
export const updateGroups = Effect.fn("update")(function* (
  groups: readonly Amplified[],
  step: number,
  options: UpdateOptions,
): Effect.fn.Return<StepReport, EngineError, Engine> {
  const engine = yield* Engine;
  yield* requireAligned(step, groups);
  const batch = trainBatch(groups, options);
  const rows = [...batch.policy, ...batch.auxiliary];
  const lr = options.lr(step);
  const known = {
    ...groupMetrics(groups),
    ...staleness(groups, step),
    ...(groups[0]?.drawn === undefined ? {} : { [metricNames.groupsSampled]: groups[0].drawn.groups }),
    [metricNames.globalStep]: step,
    [metricNames.learningRate]: lr,
    [metricNames.emptyBatch]: Number(rows.length === 0),
  };
  const cursor = groups.reduce((last, group) => Math.max(last, group.drawn?.until ?? group.cursor + 1), 0);
  const replay = groups.at(-1)?.replay;
  const buffer = replay === undefined ? {} : { replay };
  if (rows.length === 0) return { step, cursor, groups, metrics: known, ...buffer };

  const ids = rows.map((row) => row.ids);
  // Prompts and prefixes have neither loss nor metric.
  const select = rows.map((row) => row.mask);
  const temperature = options.temperature ?? 1;
  const hasKl = options.kl !== undefined && options.kl.coefficient !== 0;
  const loss = losses[options.loss ?? "policy_gradient"](options.lossOptions);
  const needsLogprobs = (loss.needsLogprobs || hasKl || options.distillation?.form === "sampled") &&
    !isKnown(batch, groups, step, {
      readsRetries: loss.readsOffPolicy === true || hasKl || options.retryOldLogprobs === "behaviour",
    });
  const frozen = hasKl ? options.kl.reference : options.reference;
  const readsFrozen = hasKl || loss.needsReference === true;
  if (readsFrozen && frozen === undefined) {
    const reader = hasKl ? "the KL penalty (algorithm.kl_coef)" : `the loss ${options.loss}`;
    return yield* Effect.fail(
      stepError(step, `${reader} needs a reference policy: give the pipeline what runContext(config) gives`),
    );
  }
  const logp = needsLogprobs
    ? (yield* engine.logprobs(ids, { temperature, select })).logprobs
    : rows.map((row) => row.behaviour);
  const taught = options.distillation === undefined
    ? undefined
    : yield* askTeacher(batch.policy, options.distillation, temperature);
  const reference = !readsFrozen || frozen === undefined
    ? undefined
    : (yield* frozen(ids, { temperature, select })).logprobs;

  const coefficient = options.distillation?.coefficient ?? 1;
  const against = taught?.distributions;
  const kept = against === undefined ? undefined : divergenceWeights(batch.policy, coefficient);
  const goal = objective(batch, logp, options, reference, taught?.logp);
  const weighted = ids.map((rowIds, i) => ({
    ids: rowIds,
    weights: goal.weights[i],
    ...(goal.entropyWeights === undefined ? {} : { entropyWeights: goal.entropyWeights[i] }),
    ...(kept?.[i] === undefined ? {} : { divergenceWeights: kept[i] }),
  }));
  const now: Logprobs = yield* engine.accumulate(weighted, {
    ...{ temperature, entropy: true, select },
    ...(against === undefined ? {} : comparedTokens(batch.policy, batch.auxiliary, against)),
  });
  // Without a forward pass before it, the loss's value is only known from what accumulate returned.
  const { metrics: objectives } = needsLogprobs
    ? goal
    : objective(batch, now.logprobs, options, reference, taught?.logp);
  const metrics = {
    ...objectives,
    ...taught?.metrics,
    ...(now.divergence === undefined ? {} : divergenceMetrics(batch.policy, now.divergence, coefficient)),
  };
  yield* requireFinite(step, metricNames.policyLoss, metrics[metricNames.policyLoss]);
  const { gradNorm } = yield* engine.optimStep({ ...options.adamw, lr });
  yield* requireFinite(step, metricNames.gradNorm, gradNorm);
  return {
    step,
    cursor,
    groups,
    ...buffer,
    metrics: { ...known, ...metrics, ...tokenMetrics(batch, now), [metricNames.gradNorm]: gradNorm },
  };
});

/**
 * Whether what the sampler said is what a forward pass would say: the policy has not
 * moved since, and no row was sampled in another context than it is trained in (whose
 * ratio is 1 by definition, so that a loss of ratios alone needs none either).
 */
function isKnown(
  batch: TrainBatch,
  groups: readonly Amplified[],
  step: number,
  { readsRetries }: { readonly readsRetries: boolean },
): boolean {
  if (batch.policy.some(({ kind }) => kind === "demonstration")) return false;
  if (staleness(groups, step)[metricNames.stalenessMax] !== 0) return false;
  return !readsRetries || !batch.policy.some(({ kind }) => kind === "retry");
}

function requireFinite(step: number, name: string, value: number): Effect.Effect<void, EngineError> {
  if (Number.isFinite(value)) return Effect.void;
  return Effect.fail(stepError(step, `${name} is ${value}`));
}

function stepError(step: number, reason: string): EngineError {
  return new EngineError({ operation: `take optimiser step ${step}`, reason });
}

/** Masks and advantages are lists beside the members: a stage of one's own may get them wrong. */
function requireAligned(step: number, groups: readonly Amplified[]): Effect.Effect<void, EngineError> {
  for (const { task, members, trainMasks, advantages, tokenAdvantages } of groups) {
    const lists = { trainMasks, advantages, ...(tokenAdvantages === undefined ? {} : { tokenAdvantages }) };
    for (const [name, list] of Object.entries(lists)) {
      if (list.length === members.length) continue;
      const reason = `task ${task.id} has ${members.length} members and ${list.length} ${name}`;
      return Effect.fail(stepError(step, reason));
    }
  }
  return Effect.void;
}
