import type { Lesson } from "../../envs/demonstrator.ts";
import type { PromptFormat } from "../../envs/env.ts";
import { reflectionPrompt } from "../../stages/diagnose/reflection_prompt.ts";
import { reportOf } from "../../stages/diagnose/report_of.ts";
import type { Chat } from "../../stages/policy/chat.ts";
import { endOfTurn } from "../../stages/policy/end_of_turn.ts";
import { repairPrompt } from "./repair_prompt.ts";

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
  options: RowOptions,
): SupervisedRow {
  const end = endOfTurn(chat);
  const ids: number[] = [];
  const weights: number[] = [];
  const add = (more: readonly number[], weight: number) => {
    for (const id of more) {
      ids.push(id);
      weights.push(weight);
    }
  };
  lesson.actions.forEach((action, k) => {
    const said = format.user(lesson.turns[k], k, k === lesson.from ? lesson.guidance : "");
    const user = k === 0 && lesson.shown !== undefined ? repairPrompt(said, lesson.shown, chat) : said;
    const system = format.system(lesson.task);
    const opening = [
      ...(system === "" ? [] : [{ role: "system", content: system } as const]),
      { role: "user", content: user } as const,
    ];
    add(k === 0 ? chat.open(opening) : chat.extend(user, true), 0);
    add([...chat.encode(action), end], k < lesson.from ? 0 : 1);
  });
  if (lesson.diagnosis !== undefined) {
    const last = lesson.turns[lesson.actions.length].observation;
    const prompt = reflectionPrompt(last, lesson.feedback, options.instruction);
    add(chat.extend(prompt, true), 0);
    add([...chat.encode(JSON.stringify(reportOf(lesson.diagnosis))), end], options.reportWeight);
  }
  return { ids, weights };
}
