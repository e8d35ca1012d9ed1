import type { AdamW, OptimReport } from "./engine.ts";
import type { Tensor, Weights } from "./weights.ts";

/**
 * AdamW (Loshchilov & Hutter 2019) over the parameters of a model, in place.
 *
 * With g = −gradient (the step ASCENDS), scaled by min(1, clipNorm/‖gradient‖₂)
 * over all parameters together: m ← β₁m + (1−β₁)g, v ← β₂v + (1−β₂)g²,
 * θ ← θ·(1 − lr·λ) − lr·m̂/(√v̂ + ε) with m̂ = m/(1−β₁ᵗ), v̂ = v/(1−β₂ᵗ). Only
 * tensors of two axes and more are decayed. Moments are float32, the arithmetic
 * is float64.
 */
export class AdamWState {
  /** Steps taken. */
  step = 0;
  readonly expAvg: ReadonlyMap<string, Tensor>;
  readonly expAvgSq: ReadonlyMap<string, Tensor>;

  constructor(weights: Weights) {
    this.expAvg = zerosLike(weights);
    this.expAvgSq = zerosLike(weights);
  }

  /**
   * Takes one step along `gradient`; both maps have the names of `weights`.
   * Throws RangeError, and changes nothing, if the gradient is not finite.
   */
  update(
    weights: ReadonlyMap<string, Tensor>,
    gradient: ReadonlyMap<string, Tensor>,
    options: AdamW,
  ): OptimReport {
    const gradNorm = globalNorm(gradient);
    if (!Number.isFinite(gradNorm)) throw new RangeError(`the gradient's norm is ${gradNorm}`);
    const { clipNorm } = options;
    const scale = clipNorm > 0 && gradNorm > clipNorm ? clipNorm / gradNorm : 1;
    this.step++;
    for (const [name, { shape, data }] of weights) {
      const decay = shape.length >= 2 ? options.lr * options.weightDecay : 0;
      updateTensor(
        data,
        gradient.get(name)!.data,
        this.expAvg.get(name)!.data,
        this.expAvgSq.get(name)!.data,
        { ...options, scale: -scale, keep: 1 - decay, step: this.step },
      );
    }
    return { gradNorm, step: this.step };
  }

  /** Forgets all moments. */
  reset(): void {
    this.step = 0;
    for (const t of [...this.expAvg.values(), ...this.expAvgSq.values()]) t.data.fill(0);
  }
}

interface TensorUpdate extends AdamW {
  /** What the gradient is multiplied by. */
  readonly scale: number;
  /** What weight decay leaves of a parameter. */
  readonly keep: number;
  readonly step: number;
}

function updateTensor(
  theta: Float32Array,
  gradient: Float32Array,
  m: Float32Array,
  v: Float32Array,
  { beta1, beta2, eps, lr, scale, keep, step }: TensorUpdate,
): void {
  const rate = lr / (1 - beta1 ** step);
  const correction = 1 / (1 - beta2 ** step);
  for (let i = 0; i < theta.length; i++) {
    const g = gradient[i] * scale;
    m[i] = beta1 * m[i] + (1 - beta1) * g;
    v[i] = beta2 * v[i] + (1 - beta2) * g * g;
    theta[i] = theta[i] * keep - rate * m[i] / (Math.sqrt(v[i] * correction) + eps);
  }
}

/** 2-norm of all tensors together. */
function globalNorm(tensors: Weights): number {
  let sum = 0;
  for (const { data } of tensors.values()) {
    for (let i = 0; i < data.length; i++) sum += data[i] * data[i];
  }
  return Math.sqrt(sum);
}

function zerosLike(weights: Weights): Map<string, Tensor> {
  return new Map(
    [...weights].map(([name, { shape, data }]) => [name, { shape, data: new Float32Array(data.length) }]),
  );
}
