import { questionFormat } from "../question/question_format.ts";
import { choiceText } from "./verify_multiple_choice.ts";

/** How multiple-choice questions are asked and answered. */
export const choiceFormat = questionFormat(
  "Put the letter of the right option in \\boxed{}.",
  (reply) => {
    const answer = choiceText(reply);
    return answer === null || /[{}\\]/.test(answer) ? null : `\\boxed{${answer.trim()}}`;
  },
);

/** The question with its options, one a line. */
export function choiceQuestion(prompt: string, options: readonly string[]): string {
  return [prompt, ...options.map((option, i) => `${String.fromCharCode(65 + i)}) ${option}`)].join("\n");
}
