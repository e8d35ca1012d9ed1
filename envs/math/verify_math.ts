import { accept, refuse, type Verdict } from "../verify/verdict.ts";
import { extractAnswer, type ExtractionFault } from "./extract_answer.ts";
import { parseAnswer } from "./parse_answer.ts";
import { type MathOptions, sameAnswer } from "./same_answer.ts";

/** Why an answer is refused. */
export type MathCategory = ExtractionFault | "wrong" | "bad_gold";

/** Longest gold answer in characters. */
const longestGold = 2048;

/**
 * Verifies a mathematical answer: the last box of the reply, after its thought, must
 * have the value of `gold` (a text as data sets give it, in LaTeX or plain). Exact
 * where both sides are rational, else by evaluation; see `sameAnswer`.
 */
export function verifyMath(reply: string, gold: string, options: MathOptions = {}): Verdict<MathCategory> {
  if (gold.trim() === "" || gold.length > longestGold) {
    return refuse("bad_gold", `the gold answer has ${gold.length} characters`);
  }
  const extraction = extractAnswer(reply);
  if ("fault" in extraction) return refuse(extraction.fault, extraction.reason);
  const { answer } = extraction;
  // An extracted answer is trimmed too.
  return sameAnswer(parseAnswer(answer), parseAnswer(gold.trim()), options)
    ? accept(answer)
    : refuse("wrong", `is ${answer}, not ${gold}`, answer);
}
