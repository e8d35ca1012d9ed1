import type { AmplificationName } from "./amplifications.ts";
import type { EstimatorOptions } from "./estimator.ts";
import type { EstimatorName } from "./estimators.ts";

/** How rewards become advantages. */
export interface AmplifyOptions extends EstimatorOptions {
  /** Default `grpo`; with `amplification: "released"`, `opmd`, which is what that rule was written for. */
  readonly estimator?: EstimatorName;
  /** Default `paper`; a baseline without amplification says `none`. */
  readonly amplification?: AmplificationName;
  /** Factor of positive amplification, > 0. Default 3. */
  readonly alpha?: number;
  /**
   * A group of equal rewards: `zero` gives all advantages 0 unless the estimator
   * learns from such groups (then they stay as estimated, without amplification);
   * `raw` applies the formulas as written. Default `zero`; with
   * `amplification: "released"`, `raw`, as its code trains on all-success groups.
   */
  readonly flatGroups?: "zero" | "raw";
}
