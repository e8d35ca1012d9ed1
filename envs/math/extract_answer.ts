import { afterThought } from "../verify/after_thought.ts";
import { boxes } from "../verify/boxes.ts";

/** Why there is no answer to compare. */
export type ExtractionFault = "no_answer" | "several_answers" | "too_long";

/** Longest answer in characters. */
export const longestAnswer = 512;

/** What may stand between boxes that form one statement. */
const joint = /^(?:[\s$.,;]|\\[,;!]|and|or|\\text\{\s*(?:and|or)\s*\}){0,20}$/;

/**
 * The last box of a reply after its thought. A box that never closes is none;
 * different boxes side by side are refused, as they bet on several answers.
 */
export function extractAnswer(
  reply: string,
): { readonly answer: string } | { readonly fault: ExtractionFault; readonly reason: string } {
  const rest = afterThought(reply);
  if (rest === null) return { fault: "no_answer", reason: "the thought is not closed" };
  const found = boxes(rest);
  const last = found.at(-1);
  if (!last) {
    return { fault: "no_answer", reason: last === null ? "the last box does not close" : "no box" };
  }
  const before = found.at(-2);
  if (before && before.content.trim() !== last.content.trim()) {
    const gap = rest.slice(before.end, last.start);
    if (gap.length <= 40 && joint.test(gap)) {
      return { fault: "several_answers", reason: "different boxes side by side" };
    }
  }
  const answer = last.content.trim();
  if (answer.length > longestAnswer) {
    return { fault: "too_long", reason: `${answer.length} characters, at most ${longestAnswer}` };
  }
  return answer === "" ? { fault: "no_answer", reason: "the box is empty" } : { answer };
}
