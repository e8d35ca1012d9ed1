/** Shape of a transition from reflective to direct rollouts. */
export interface KernelOptions {
  /** Share at the start. Default 0.5. */
  readonly high?: number;
  /** Share at the end. Default 0.05. */
  readonly low?: number;
  /** Steps before the decay begins. Default 50. */
  readonly warmup?: number;
  /** Steps of the decay. Default 250. */
  readonly decay?: number;
  /** Steepness of `exponential` (default 5) and `inverse_sigmoid` (default 10). */
  readonly steepness?: number;
}

/** Share g(t) of reflective rollouts at optimiser step `t` (0-based). */
export type Kernel = (t: number, options?: KernelOptions) => number;

/** A kernel that depends on progress τ = clip((t − warmup)/decay, 0, 1) alone, from 1 at τ = 0 to 0 at τ = 1. */
function decaying(shape: (progress: number, steepness: number | undefined) => number): Kernel {
  return (t, options = {}) => {
    const { high = 0.5, low = 0.05, warmup = 50, decay = 250 } = options;
    const progress = Math.min(1, Math.max(0, (t - warmup) / decay));
    return low + (high - low) * shape(progress, options.steepness);
  };
}

/**
 * The transition kernels of ReflectRL (arXiv 2608.03972) by name. `cosine` is its
 * equation 7; the others are the natural forms of the names it gives, normalised so
 * that the smooth ones hold `high` until `warmup` and reach `low` after the decay.
 * `linear` starts at once and `step` falls to 0, both at `warmup + decay`.
 */
export const kernels = {
  cosine: decaying((u) => (1 + Math.cos(Math.PI * u)) / 2),
  linear: (t, { high = 0.5, low = 0.05, warmup = 50, decay = 250 } = {}) =>
    high - (high - low) * Math.min(1, Math.max(0, t / (warmup + decay))),
  step: (t, { high = 0.5, warmup = 50, decay = 250 } = {}) => (t < warmup + decay ? high : 0),
  plateau_linear: decaying((u) => 1 - u),
  exponential: decaying((u, k = 5) => (Math.exp(-k * u) - Math.exp(-k)) / (1 - Math.exp(-k))),
  inverse_sigmoid: decaying((u, k = 10) => {
    const s = (x: number) => 1 / (1 + Math.exp(k * (x - 0.5)));
    return (s(u) - s(1)) / (s(0) - s(1));
  }),
} as const satisfies Record<string, Kernel>;

/** Name of a kernel. */
export type KernelName = keyof typeof kernels;

/** Reflective rollouts among `n`: n·g(t), halves rounded up. */
export function reflectiveRollouts(n: number, share: number): number {
  return Math.floor(n * share + 0.5);
}
