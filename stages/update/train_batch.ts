import type { Amplified, Auxiliary, Member } from "../record.ts";
import { aggregationWeights, countOnes } from "./aggregation_weights.ts";
import { losses, type LossName } from "./losses.ts";
import type { ObjectiveOptions } from "./update_options.ts";

/** One row that gets gradient in this step. */
export interface TrainRow {
  /** What the row is as a member, or as a verified correction (`reflect`, `guided`). */
  readonly kind: Member["kind"] | "reflect" | "guided";
  /** Place of its group among those of the step. */
  readonly group: number;
  readonly ids: readonly number[];
  readonly mask: readonly (0 | 1)[];
  /** Log-probabilities of the behaviour policy. */
  readonly behaviour: readonly number[];
  readonly advantage: number;
  /** One advantage a token, where they differ within the row. */
  readonly tokenAdvantages?: readonly number[];
  /** What a teacher reads in place of the first ids: its own opening. */
  readonly privileged?: { readonly ids: readonly number[]; readonly replaces: number };
  /** The constant that multiplies this row's token losses: normalisers over the whole step, and the auxiliary weight. */
  readonly weight: number;
}

/** The rows of one optimiser step. */
export interface TrainBatch {
  /** Rows of the policy loss; with the `pooled` normaliser auxiliary rows are among them. */
  readonly policy: readonly TrainRow[];
  /** Rows of the supervised term. */
  readonly auxiliary: readonly TrainRow[];
}

type Draft = Omit<TrainRow, "weight">;

/**
 * Collects what gets gradient, with normalisers over the whole step. Members
 * without reward are left out; members with an empty mask or advantage 0 count in
 * the normalisers (`denominator: "members"`) but are not sent, unless an entropy
 * or KL term or a teacher gives them gradient.
 */
export function trainBatch(groups: readonly Amplified[], options: ObjectiveOptions = {}): TrainBatch {
  const { reflectWeight = 0.2, retryWeight = 1, normaliser = "members" } = options.auxiliary ?? {};
  const everyRow = (options.entropyCoefficient ?? 0) !== 0 || (options.kl?.coefficient ?? 0) !== 0 ||
    options.distillation !== undefined;
  const weightOf = (row: Auxiliary) => row.task === "reflect" ? reflectWeight : retryWeight;

  const members: Draft[] = groups.flatMap((group, g) =>
    group.members.flatMap((member, i) => member.reward === null ? [] : [policyDraft(member, group, i, g)])
  );
  const corrections = groups.flatMap(({ auxiliary }, group) => auxiliary.map((row) => ({ row, group })))
    .filter(({ row }) => weightOf(row) !== 0 && countOnes(row.mask) > 0)
    .map(({ row, group }): Draft => ({
      group,
      kind: row.task === "reflect" ? "reflect" : "guided",
      ids: row.ids,
      mask: row.mask,
      behaviour: row.logprobs,
      advantage: weightOf(row),
    }));

  const getsGradient = (row: Draft) => countOnes(row.mask) > 0 && (everyRow || hasAdvantage(row));
  const pooled = normaliser === "pooled" ? [...members, ...corrections] : members;
  const counted = options.denominator === "trained" ? pooled.filter(getsGradient) : pooled;
  const name: LossName = options.loss ?? "policy_gradient";
  const mode = options.aggregation ?? losses[name](options.lossOptions).aggregation;
  const weights = aggregationWeights(counted.map((row) => row.mask), mode, options);
  const policy = counted.map((row, i) => ({ ...row, weight: weights[i] })).filter(getsGradient);
  if (normaliser === "pooled") return { policy, auxiliary: [] };

  const divisor = normaliser === "own" ? corrections.length : Math.max(1, counted.length);
  const auxiliary = corrections.map((row) => ({
    ...row,
    weight: row.advantage * (normaliser === "sum" ? 1 : 1 / (countOnes(row.mask) * divisor)),
  }));
  return { policy, auxiliary };
}

function policyDraft(member: Member, group: Amplified, i: number, g: number): Draft {
  const tokenAdvantages = group.tokenAdvantages?.[i];
  const { privileged } = group;
  return {
    kind: member.kind,
    group: g,
    ids: member.ids,
    mask: group.trainMasks[i],
    behaviour: member.logprobs,
    advantage: group.advantages[i],
    ...(tokenAdvantages === undefined ? {} : { tokenAdvantages }),
    ...(privileged === undefined || member.kind !== "base"
      ? {}
      : { privileged: { ids: privileged, replaces: member.mask.indexOf(1) } }),
  };
}

function hasAdvantage({ advantage, tokenAdvantages, mask }: Draft): boolean {
  return tokenAdvantages === undefined
    ? advantage !== 0
    : tokenAdvantages.some((a, t) => mask[t] === 1 && a !== 0);
}
