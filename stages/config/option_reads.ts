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
  topr: ["threshold"],
  sppo: ["clip_high"],
  rec: [
    ...["clip_low", "clip_high", "range", "outer_low", "outer_high"],
    ...["weight", "temperature", "regulariser", "regulariser_coef"],
  ],
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

/** By loss or estimator and option: the other option, and its values with which that one is read (null = the loss's own). */
type OptionNeeds = Readonly<
  Record<string, Readonly<Record<string, readonly [option: string, ...values: (string | null)[]]>>>
>;

const clipped = ["range", null, "one-side", "two-side", "ring"] as const;
const divided = ["scale", "std"] as const;

/** Options that a loss reads only with certain values of another. */
export const lossNeeds: OptionNeeds = {
  rec: {
    clip_low: clipped,
    clip_high: clipped,
    outer_low: ["range", "ring"],
    outer_high: ["range", "ring"],
    temperature: ["weight", "advantage"],
    regulariser_coef: ["regulariser", "k2", "forward-kl"],
  },
};

/** The same of estimators. */
export const estimatorNeeds: OptionNeeds = {
  grpo: { ddof: divided, eps: divided },
  opmd: { tau: ["baseline", "logavgexp"] },
};
