import { plain } from "./plain.ts";

/**
 * OPMD (arXiv 2505.17826): reward less baseline times log π, over 1 + τ. The baseline is
 * the group's mean, or τ·log(mean exp(R/τ)) with `estimator_options.baseline: logavgexp`.
 */
export const opmd = plain({ estimator: "opmd", loss: "opmd", aggregation: "token-mean" });
