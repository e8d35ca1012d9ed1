import { plain } from "./plain.ts";

/** RLOO (arXiv 2402.14740): the baseline of an attempt is the mean reward of the others in its group. */
export const rloo = plain({ estimator: "rloo", loss: "ppo", aggregation: "token-mean" });
