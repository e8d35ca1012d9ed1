import type { Chat } from "../../stages/policy/chat.ts";
import type { Attempt } from "../../stages/record.ts";

/** The policy's replies in full, one a turn, without what ended them. */
export function repliesOf(attempt: Attempt, chat: Chat): readonly string[] {
  return attempt.turns.map(({ start, end, stopReason }) =>
    chat.decode(attempt.ids.slice(start, stopReason === "stop" ? end - 1 : end))
  );
}

/** What a prompt shows of an attempt: the reply, or the log of several turns with `> ` before each reply. */
export function attemptText(attempt: Attempt, replies: readonly string[]): string {
  if (replies.length === 1) return replies[0];
  return replies.map((reply, k) => `> ${reply.trim()}\n${attempt.turns[k].observation}`).join("\n");
}
