import { plain } from "./plain.ts";

/** REINFORCE++ (arXiv 2501.03262): no group baseline; returns are normalised over all tokens of the step. */
export const reinforcePp = plain({ estimator: "reinforce_pp", loss: "ppo", aggregation: "token-mean" });
