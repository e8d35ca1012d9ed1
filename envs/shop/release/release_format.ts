import type { PromptFormat } from "../../env.ts";
import { readReply } from "./read_reply.ts";
import { releaseSystem } from "./release_prompt.ts";

/**
 * How the R³L authors speak to a policy in WebShop. The observation of `ReleaseShop`
 * is the whole user message; guidance stands before it, since not every chat takes a
 * second system message.
 */
export const releaseFormat: PromptFormat = {
  system: () => releaseSystem,
  user: ({ observation }, _k, guidance) =>
    guidance === "" ? observation : `# Previous Attempt Analysis & Guidance\n${guidance}\n\n${observation}`,
  action: readReply,
};
