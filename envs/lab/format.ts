import type { PromptFormat } from "../env.ts";

/**
 * How the lab speaks to a policy: the observation as it is, guidance on a line of
 * its own, and a last line with the turn's number, so that a report can copy the
 * turn it is about. The whole reply is the action.
 */
export const labFormat: PromptFormat = {
  system: () => "",
  user: (turn, k, guidance) =>
    `${turn.observation}${guidance === "" ? "" : `\nGuidance: ${guidance}`}\nstep:${k}`,
  action: (reply) => reply.trim(),
};
