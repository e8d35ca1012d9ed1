import type { PromptFormat } from "../env.ts";

/**
 * How the shop speaks to a policy: the page, with the instruction on the first one
 * only, guidance on a line of its own, and a last line with the turn's number, so
 * that a report can copy the turn it is about. The whole reply is the action.
 */
export const shopFormat: PromptFormat = {
  system: () => "",
  user(turn, k, guidance) {
    const page = k === 0 ? turn.observation : turn.observation.replace(INSTRUCTION, "$1");
    return `${page.trimEnd()}${guidance === "" ? "" : `\nGuidance: ${guidance}`}\nstep:${k}`;
  },
  action: (reply) => reply.trim(),
};

/** The instruction of a page in either mode, after what was clicked. */
const INSTRUCTION =
  /^((?:You have clicked [^\n]*\n)*)(?:Instruction:\n[^\n]*\n|Instruction: \[SEP\] .*? \[SEP\] (?=Back to Search))/;
