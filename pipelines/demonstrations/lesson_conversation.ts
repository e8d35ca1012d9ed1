import type { Lesson } from "../../envs/demonstrator.ts";
import type { PromptFormat } from "../../envs/env.ts";
import { reflectionPrompt } from "../../stages/diagnose/reflection_prompt.ts";
import { reportOf } from "../../stages/diagnose/report_of.ts";
import type { Chat, Message } from "../../stages/policy/chat.ts";
import type { Conversation } from "../offline/conversation.ts";
import { repairPrompt } from "../warm_start/repair_prompt.ts";

/** What a lesson's conversation is put together with. */
export interface LessonOptions {
  readonly format: PromptFormat;
  /** What asks for a report; the same text as while training. */
  readonly instruction: string;
  /** Of the policy that learns, if it is known: a shown attempt must not contain them. */
  readonly specialTokens?: Chat["specialTokens"];
}

/**
 * A lesson as the conversation that `sample`, `diagnose` and `stitch` would hold: the
 * same messages. Its actions from turn `lesson.from` on and the report are to be learned.
 */
export function lessonConversation(lesson: Lesson, options: LessonOptions): Conversation {
  const { format, instruction, specialTokens = [] } = options;
  const system = format.system(lesson.task);
  const messages: Message[] = system === "" ? [] : [{ role: "system", content: system }];
  let from = 0;
  lesson.actions.forEach((action, k) => {
    const said = format.user(lesson.turns[k], k, k === lesson.from ? lesson.guidance : "");
    const content = k === 0 && lesson.shown !== undefined
      ? repairPrompt(said, lesson.shown, { specialTokens })
      : said;
    messages.push({ role: "user", content });
    if (k === lesson.from) from = messages.length;
    messages.push({ role: "assistant", content: action });
  });
  if (lesson.diagnosis !== undefined) {
    const last = lesson.turns[lesson.actions.length].observation;
    const report = JSON.stringify(reportOf(lesson.diagnosis));
    messages.push(
      { role: "user", content: reflectionPrompt(last, lesson.feedback, instruction) },
      { role: "assistant", content: report },
    );
  }
  return { messages, from };
}
