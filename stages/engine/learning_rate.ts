/** How the learning rate changes over a run. */
export interface LearningRateSchedule {
  readonly kind: "constant" | "linear" | "cosine";
  /** Peak learning rate. */
  readonly lr: number;
  /** Steps of linear warm-up from 0; 0 = none. */
  readonly warmupSteps: number;
  /** Steps of the whole run. */
  readonly totalSteps: number;
  /** The last step's rate as a fraction of `lr`; ignored by `constant`. */
  readonly finalFraction: number;
}

/**
 * Learning rate of optimiser step `step` (1-based). Warm-up step k of W has
 * lr·k/W; after it, with progress x from 0 to 1 at the last step, linear decay is
 * 1 − (1−f)·x and cosine decay f + (1−f)·(1 + cos πx)/2 times lr
 * (Loshchilov & Hutter 2017). Beyond the last step the rate stays. `progress` is x itself,
 * for a run whose end is no number of steps.
 */
export function learningRate(schedule: LearningRateSchedule, step: number, progress?: number): number {
  const { kind, lr, warmupSteps, totalSteps, finalFraction: f } = schedule;
  if (step < 1) throw new RangeError(`Cannot schedule step ${step}: steps are counted from 1`);
  if (step <= warmupSteps) return lr * step / warmupSteps;
  if (kind === "constant") return lr;
  const first = Math.max(warmupSteps, 1);
  const x = progress ?? (totalSteps <= first ? 1 : Math.min(1, (step - first) / (totalSteps - first)));
  return kind === "linear" ? lr * (1 - (1 - f) * x) : lr * (f + (1 - f) * (1 + Math.cos(Math.PI * x)) / 2);
}
