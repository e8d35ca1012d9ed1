import type { Metrics } from "../record.ts";
import type { Aggregation } from "./aggregation_weights.ts";

/** The rows of one optimiser step; every list has one entry a row, every inner list one entry a token. */
export interface LossRows {
  /** log π(token) now. */
  readonly logp: readonly ArrayLike<number>[];
  /** log π(token) of the behaviour policy. */
  readonly oldLogp: readonly ArrayLike<number>[];
  /** 1 where a token trains. */
  readonly mask: readonly ArrayLike<number>[];
  /** One advantage a row, or one a token. */
  readonly advantages: readonly (number | ArrayLike<number>)[];
  /** log π(token) of the frozen reference policy; there if the loss says `needsReference`. */
  readonly refLogp?: readonly ArrayLike<number>[];
  /** Which group (task) each row is of, for losses that compare rows; default one group. */
  readonly groups?: readonly number[];
  /** Rows that were sampled in another context (refinements); default none. */
  readonly offPolicy?: readonly boolean[];
  /** What stop-gradient factors are computed from; default `logp`. Differs from it only when a derivative is checked. */
  readonly detachedLogp?: readonly ArrayLike<number>[];
}

/** Per token: loss and its derivative by that token's `logp`; both exactly 0 where the mask is 0. */
export interface TokenLoss {
  readonly loss: readonly Float64Array[];
  readonly dLogp: readonly Float64Array[];
  readonly metrics: Metrics;
}

/** A policy-gradient loss: pure, of log-probabilities alone. */
export interface Loss {
  /** Needs log π of the current policy before weights can be computed: one more forward pass. */
  readonly needsLogprobs: boolean;
  /** Reads log π of `offPolicy` rows themselves, not only its ratio to the behaviour policy's. Default false. */
  readonly readsOffPolicy?: boolean;
  /** Reads log π of the frozen reference policy. Default false. */
  readonly needsReference?: boolean;
  /** Compares the rows of a group: one chosen (A > 0) and one rejected (A < 0) each. Default false. */
  readonly comparesRows?: boolean;
  /** How the method's authors aggregate tokens. */
  readonly aggregation: Aggregation;
  /** Loss and derivative of every token; what they are summed to is the aggregation's. */
  readonly perToken: (rows: LossRows) => TokenLoss;
}

/** Settings of the losses; each reads those that its formula names. */
export interface LossOptions extends Readonly<Record<string, unknown>> {
  /** Ratios are clipped at 1 − clipLow. */
  readonly clipLow?: number;
  /** Ratios are clipped at 1 + clipHigh. */
  readonly clipHigh?: number;
  /** Bounds the loss at −A·dualClip for A < 0 (arXiv 1912.09729); > 1, default off. */
  readonly dualClip?: number;
  /** OPMD's temperature. */
  readonly tau?: number;
  /** Critique-GRPO's shaping constant. */
  readonly gamma?: number;
  /** TOPR: advantages above it count as positive. */
  readonly threshold?: number;
  /** CISPO: also drop tokens whose ratio is beyond the bound on the side that the advantage pushes to. */
  readonly maskBeyondClip?: boolean;
  /** REC: which ratios train. */
  readonly range?: "none" | "one-side" | "two-side" | "ring";
  /** REC, `ring`: successes train again at ratios of at most 1 − outerLow. */
  readonly outerLow?: number;
  /** REC, `ring`: failures train again at ratios of at least 1 + outerHigh. */
  readonly outerHigh?: number;
  /** REC: factor on the advantage. */
  readonly weight?: "none" | "ratio" | "advantage";
  /** REC: temperature of `weight: "advantage"`. */
  readonly temperature?: number;
  /** REC: pull towards the behaviour policy. */
  readonly regulariser?: "none" | "k2" | "forward-kl";
  /** REC: strength of the regulariser. Default 0. */
  readonly regulariserCoefficient?: number;
  /** DPO: strength of the pull to the reference policy. Default 0.1. */
  readonly beta?: number;
  /** DPO: probability that a preference is the wrong way round. Default 0. */
  readonly smoothing?: number;
  /** BAPO: which statement of its bounds search. */
  readonly search?: "paper" | "released";
  /** BAPO: the balance of positive and negative tokens to aim for; default that of the search. */
  readonly target?: number;
}
