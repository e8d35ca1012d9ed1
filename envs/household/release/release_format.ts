import type { PromptFormat } from "../../env.ts";
import { readReply } from "./read_reply.ts";
import { releaseSystem } from "./release_prompt.ts";

/**
 * How the R³L authors speak to a policy in ALFWorld. The observation of
 * `ReleaseHousehold` is the whole user message; guidance stands before it, since not
 * every chat takes a second system message. A reply of the wrong form is read as what
 * is wrong with it.
 */
export const releaseFormat: PromptFormat = {
  system: () => releaseSystem,
  user: ({ observation }, _k, guidance) =>
    guidance === "" ? observation : `# Previous Attempt Analysis & Guidance\n${guidance}\n\n${observation}`,
  action: (reply) => {
    const read = readReply(reply);
    return "action" in read ? read.action : read.fault;
  },
};
