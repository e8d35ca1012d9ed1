import type { PromptFormat } from "../env.ts";

/**
 * How a served environment speaks to a policy: the observation, the admissible
 * commands if it tells them, guidance on a line of its own and a last line with the
 * turn's number. The whole reply is the action.
 */
export const remoteFormat: PromptFormat = {
  system: () => "",
  user: ({ observation, admissible }, k, guidance) =>
    [
      observation,
      ...(admissible === undefined ? [] : [`Admissible: ${admissible.join(", ")}`]),
      ...(guidance === "" ? [] : [`Guidance: ${guidance}`]),
      `step:${k}`,
    ].join("\n"),
  action: (reply) => reply.trim(),
};
