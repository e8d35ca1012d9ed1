/** Keys of section `algorithm` that decide how rewarded attempts become gradient. */
export const updateKeys: readonly string[] = [
  "amplification",
  "alpha",
  "estimator",
  "estimator_options",
  "loss",
  "loss_options",
  "divergence_limit",
  "aggregation",
  "aggregation_width",
  "denominator",
  "reward",
  "overlong",
  "sync_every",
  "entropy_coef",
  "kl_coef",
  "kl_estimator",
];

/** Keys of section `algorithm` that decide how reports are written. */
export const reportKeys: readonly string[] = [
  "guidance",
  "reflect_temperature",
  "reflect_max_tokens",
  "reflect_form",
  "reflect_prompt",
];

/** Keys of section `algorithm` that only reflecting and retrying reads. */
export const retryKeys: readonly string[] = [
  ...reportKeys,
  "credit",
  "reflection",
  "retries_per_base",
  "retry_trigger",
  "verify",
  "auxiliary",
  "without_amplification",
  "without_credit",
  "without_reflection",
];
