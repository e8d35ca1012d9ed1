/**
 * Which keys of `algorithm.loss_options` each loss reads. One that is not listed here (a
 * user's own) may read any.
 */
export const lossReads: Readonly<Record<string, readonly string[]>> = {
  policy_gradient: [],
  ppo: ["clip_low", "clip_high", "dual_clip"],
  gspo: ["clip_low", "clip_high"],
  opmd: ["tau"],
  sft: [],
  cispo: ["clip_low", "clip_high", "mask_beyond_clip"],
  critique_grpo: ["clip_low", "clip_high", "dual_clip", "gamma"],
  topr: [],
  sppo: ["clip_high"],
  rec: ["clip_low", "clip_high"],
  bapo: ["dual_clip", "search", "target"],
  dpo: ["beta", "smoothing"],
};

/** The same of `algorithm.estimator_options` and the estimators. */
export const estimatorReads: Readonly<Record<string, readonly string[]>> = {
  grpo: ["scale", "ddof", "eps"],
  dr_grpo: [],
  rloo: [],
  reinforce_pp: [],
  opmd: ["baseline", "tau"],
  reinforce: [],
  ngrpo: ["ddof", "eps", "max_reward"],
  asymre: ["shift"],
  raft: ["accept", "threshold"],
  best_worst: [],
};
