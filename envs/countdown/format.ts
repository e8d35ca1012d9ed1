import { questionFormat } from "../question/question_format.ts";
import { countdownAnswer } from "./verify_countdown.ts";

/** How Countdown is asked and its answers are read. */
export const countdownFormat = questionFormat(
  "You may use +, -, *, / and brackets, and must use every number exactly once. " +
    "Give the expression between <answer> and </answer>.",
  (reply) => {
    const answer = countdownAnswer(reply);
    return answer === null || /<\/?answer>/.test(answer) ? null : `<answer>${answer.trim()}</answer>`;
  },
);
