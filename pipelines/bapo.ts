import { plain } from "./plain.ts";

/**
 * BAPO (arXiv 2510.18927): the clip bounds of each step widen until successes
 * contribute their share; `loss_options.search` has the paper's search and its code's.
 */
export const bapo = plain({ estimator: "grpo", loss: "bapo", aggregation: "token-mean" });
