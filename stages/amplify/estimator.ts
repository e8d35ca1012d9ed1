/** Settings of the estimators; each reads those that its formula names. */
export interface EstimatorOptions extends Readonly<Record<string, unknown>> {
  /** Degrees of freedom taken from the variance's divisor (1 = sample standard deviation). Default 1. */
  readonly ddof?: 0 | 1;
  /** Added to the standard deviation. Default 1e-6. */
  readonly eps?: number;
  /** `none` (or false) leaves out the division by the standard deviation. Default `std`. */
  readonly scale?: "std" | "none" | false;
  /** A standard deviation from outside the group, e.g. of the whole batch. */
  readonly std?: number;
  /** OPMD's baseline. Default `mean`. */
  readonly baseline?: "mean" | "logavgexp";
  /** OPMD's temperature. Default 1. */
  readonly tau?: number;
  /** NGRPO's virtual best reward. Default 1. */
  readonly maxReward?: number;
  /** AsymRE's shift of the baseline. Default -0.1. */
  readonly shift?: number;
  /** RAFT accepts rewards from here on. Default 1. */
  readonly threshold?: number;
  /** RAFT keeps every accepted member, or of those only the group's best. Default `threshold`. */
  readonly accept?: "threshold" | "best";
}

/** Maps the rewards of one group to advantages; pure, order-preserving. */
export type Estimate = (rewards: readonly number[], options?: EstimatorOptions) => number[];

/** An advantage estimator. */
export interface Estimator {
  readonly estimate: Estimate;
  /** Gives a signal even when all rewards are equal, so the flat guard must not zero it. */
  readonly learnsFromFlat: boolean;
  /** Goes over the advantages of all rows of an optimiser step at once; `tokens[i]` tokens of row `i` train. */
  readonly batch?: (advantages: readonly number[], tokens: readonly number[]) => number[];
}
