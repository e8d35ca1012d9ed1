/** Keys of section `algorithm` that decide how rewarded attempts become gradient. */
export const updateKeys: readonly string[] = [
  "amplification",
  "alpha",
  "estimator",
  "estimator_options",
  "flat_groups",
  "loss",
  "loss_options",
  "divergence_limit",
  "aggregation",
  "aggregation_width",
  "row_length",
  "denominator",
  "reward",
  "overlong",
  "sync_every",
  "entropy_coef",
  "kl_coef",
  "kl_estimator",
];

/** The same where turns get their advantages in another way than by an estimator of groups. */
export const stepUpdateKeys: readonly string[] = updateKeys
  .filter((key) => !/^(estimator|amplification|alpha|flat_groups)/.test(key));

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
  "retry_old_logprobs",
  "verify",
  "auxiliary",
  "without_amplification",
  "without_credit",
  "without_reflection",
];
