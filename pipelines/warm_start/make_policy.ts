import type { School } from "../../envs/demonstrator.ts";
import type { LlamaConfig } from "../../stages/engine/llama_config.ts";
import { makeChat } from "../../stages/policy/make_chat.ts";
import { makeWordTokenizer } from "../../stages/policy/make_tokenizer.ts";
import { reportOf } from "../../stages/diagnose/report_of.ts";
import { repairPrompt } from "./repair_prompt.ts";

/** How many tasks' texts are read for the vocabulary. */
const SAMPLE = 400;

/** A tokenizer whose vocabulary covers the school's texts, and the architecture that fits it. */
export function makePolicyFiles(
  school: School,
  model: Omit<LlamaConfig, "vocabSize">,
  instruction: string,
) {
  const texts: string[] = [];
  let shows = false;
  for (let index = 0; index < SAMPLE; index++) {
    for (const lesson of school.lessons(index, "capable")) {
      lesson.turns.forEach((turn, k) => texts.push(school.format.user(turn, k, lesson.guidance)));
      if (lesson.shown !== undefined) shows = texts.push(lesson.shown) > 0;
      texts.push(...lesson.actions, `\n${lesson.feedback}\n${instruction}`);
      if (lesson.diagnosis !== undefined) texts.push(JSON.stringify(reportOf(lesson.diagnosis)));
    }
  }
  const { tokenizer, tokenizerConfig, vocabSize } = makeWordTokenizer({
    texts,
    words: school.words,
    phrases: shows ? [...school.phrases, ...repairPhrases()] : school.phrases,
    maxLength: model.maxPositions,
  });
  const config: LlamaConfig = { ...model, vocabSize };
  return { tokenizer, tokenizerConfig, config, chat: makeChat({ tokenizer, tokenizerConfig }) };
}

/** What a message that shows a failed attempt has around the problem and the attempt. */
function repairPhrases(): readonly string[] {
  const gap = "\u0000";
  return repairPrompt(gap, gap, {}).split(gap);
}
