import type { PromptFormat, Task } from "../../envs/env.ts";
import type { Chat } from "../policy/chat.ts";
import type { AttemptTurn } from "../record.ts";

/**
 * The ids of the user message that follows `turns`: the start of a conversation
 * (with the system message, if there is one) before turn 0, an extension after it.
 */
export function openOrExtend(
  turns: readonly AttemptTurn[],
  task: Task,
  user: string,
  chat: Chat,
  format: PromptFormat,
): number[] {
  const last = turns.at(-1);
  if (last !== undefined) return chat.extend(user, last.stopReason === "stop");
  const system = format.system(task);
  return chat.open([
    ...(system === "" ? [] : [{ role: "system", content: system } as const]),
    { role: "user", content: user },
  ]);
}
