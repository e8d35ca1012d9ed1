import { plain } from "./plain.ts";

/**
 * NGRPO (arXiv 2509.18851): a virtual best member gives groups that failed altogether a
 * negative advantage; the clip is narrower below than above, and groups without any
 * advantage are outside the divisor.
 */
export const ngrpo = plain({
  estimator: "ngrpo",
  loss: "ppo",
  loss_options: { clip_low: 0.16, clip_high: 0.24 },
  aggregation: "token-mean",
  denominator: "trained",
});
