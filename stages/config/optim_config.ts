import { Schema } from "effect";
import { count, Fraction, key, NonNegative, Positive } from "./_key.ts";

/** Section `optim`: AdamW and its schedule. */
export const OptimConfig = Schema.Struct({
  lr: key(Positive, 6e-4, "peak learning rate"),
  schedule: key(
    Schema.Literals(["constant", "linear", "cosine"]),
    "linear",
    "learning rate after warm-up: constant, linear or cosine",
  ),
  warmup_steps: key(count(0), 5, "steps over which the learning rate rises linearly from 0"),
  final_fraction: key(
    Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 })),
    0.05,
    "learning rate at the last step as a fraction of lr",
  ),
  beta1: key(Fraction, 0.9, "decay of the first moment"),
  beta2: key(Fraction, 0.98, "decay of the second moment"),
  eps: key(Positive, 1e-8, "added to the root of the second moment"),
  weight_decay: key(NonNegative, 0, "decoupled weight decay"),
  clip_norm: key(NonNegative, 1, "largest 2-norm of the gradient; 0 = no clipping"),
});
/** What {@link OptimConfig} decodes to. */
export type OptimConfig = typeof OptimConfig.Type;
