import { Schema } from "effect";
import { key, Positive, Text } from "./_key.ts";

/** Section `algorithm.distillation`: a teacher on the policy's own rollouts. */
export const DistillationConfig = Schema.Struct({
  teacher: key(
    Schema.NullOr(Text),
    null,
    "model folder of the teacher, whose tokenizer must be the policy's",
  ),
  form: key(
    Schema.Literals(["full", "sampled"]),
    "full",
    "reverse KL over the whole vocabulary, or estimated from the sampled token",
  ),
  estimator: key(
    Schema.Literals(["k1", "k2", "k3"]),
    "k1",
    "of the sampled form: k1 (as a policy gradient), k2 or k3 (differentiated; k3 descends the forward KL)",
  ),
  discount: key(
    Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 })),
    0,
    "k1: discount of what later tokens cost; 0 = every token answers for itself",
  ),
  coefficient: key(Positive, 1, "weight of the divergence"),
  task_rewards: key(Schema.Boolean, false, "also train on the tasks' rewards, by estimator and loss"),
});
/** What {@link DistillationConfig} decodes to. */
export type DistillationConfig = typeof DistillationConfig.Type;
