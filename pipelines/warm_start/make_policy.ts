import type { School } from "../../envs/demonstrator.ts";
import type { LlamaConfig } from "../../stages/engine/llama_config.ts";
import { makeChat } from "../../stages/policy/make_chat.ts";
import { makeWordTokenizer } from "../../stages/policy/make_tokenizer.ts";
import { reportOf } from "../../stages/diagnose/report_of.ts";

/** How many tasks' texts are read for the vocabulary. */
const SAMPLE = 400;

/** A tokenizer whose vocabulary covers the school's texts, and the architecture that fits it. */
export function makePolicyFiles(
  school: School,
  model: Omit<LlamaConfig, "vocabSize">,
  instruction: string,
) {
  const texts: string[] = [];
  for (let index = 0; index < SAMPLE; index++) {
    for (const lesson of school.lessons(index, "capable")) {
      lesson.turns.forEach((turn, k) => texts.push(school.format.user(turn, k, lesson.guidance)));
      texts.push(...lesson.actions, `\n${lesson.feedback}\n${instruction}`);
      if (lesson.diagnosis !== undefined) texts.push(JSON.stringify(reportOf(lesson.diagnosis)));
    }
  }
  const { tokenizer, tokenizerConfig, vocabSize } = makeWordTokenizer({
    texts,
    words: school.words,
    phrases: school.phrases,
    maxLength: model.maxPositions,
  });
  const config: LlamaConfig = { ...model, vocabSize };
  return { tokenizer, tokenizerConfig, config, chat: makeChat({ tokenizer, tokenizerConfig }) };
}
