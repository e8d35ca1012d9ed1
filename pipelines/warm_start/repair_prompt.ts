import { REFLECTIVE_TEMPLATE, reflectivePrompt } from "../../stages/negatives/reflective_prompt.ts";
import type { Chat } from "../../stages/policy/chat.ts";

/** The first message of a reflective rollout (ReflectRL), as `sample` makes it. */
export function repairPrompt(problem: string, attempt: string, chat: Pick<Chat, "specialTokens">): string {
  const specialTokens = chat.specialTokens ?? [];
  return reflectivePrompt({ template: REFLECTIVE_TEMPLATE, problem, attempt, specialTokens });
}
