import type { Lesson } from "../../envs/demonstrator.ts";
import type { PromptFormat } from "../../envs/env.ts";
import type { Chat } from "../../stages/policy/chat.ts";
import { lessonConversation } from "../demonstrations/lesson_conversation.ts";
import { layOut } from "../offline/conversation.ts";

/** Token ids with the weight of each in the supervised loss. */
export interface SupervisedRow {
  readonly ids: readonly number[];
  readonly weights: readonly number[];
}

/** How lessons become rows. */
export interface RowOptions {
  /** Weight of a report's tokens against 1 for an action's. */
  readonly reportWeight: number;
  /** What asks for a report; the same text as while training. */
  readonly instruction: string;
}

/**
 * Lays a lesson out exactly as `sample`, `diagnose` and `stitch` would: the same
 * messages, the same ids. Actions from `lesson.from` on and the report carry
 * weight, each including the id that ends the turn.
 */
export function lessonRow(
  lesson: Lesson,
  chat: Chat,
  format: PromptFormat,
  { reportWeight, instruction }: RowOptions,
): SupervisedRow {
  const { specialTokens } = chat;
  const said = lessonConversation(lesson, { format, instruction, specialTokens });
  const { ids, mask } = layOut(said, chat);
  if (lesson.diagnosis === undefined) return { ids, weights: mask };
  // The report is the last reply, of which layOut trains the end of the turn too.
  const report = ids.length - chat.encode(said.messages.at(-1)!.content).length - 1;
  return { ids, weights: mask.map((trains, t) => (t < report ? trains : trains * reportWeight)) };
}
