import type { PromptFormat } from "../env.ts";
import { questionFormat } from "../question/question_format.ts";
import type { Verdict } from "../verify/verdict.ts";
import { extractAnswer } from "./extract_answer.ts";
import { afterThought } from "../verify/after_thought.ts";
import { decimalAfter, verifyGsm8k } from "./verify_gsm8k.ts";
import { verifyMath } from "./verify_math.ts";

/** A way of writing answers: the prompt, what reads it, and the verifier that goes with it. */
export interface MathAnswer {
  readonly format: PromptFormat;
  readonly verify: (reply: string, gold: string, percent: boolean) => Verdict;
  /** A reply whose answer is `gold`. */
  readonly write: (gold: string) => string;
}

/** Ways of writing answers to mathematical questions by name. */
export const mathAnswers = {
  boxed: {
    format: questionFormat("Reason step by step and put the final answer in \\boxed{}.", (reply) => {
      const found = extractAnswer(reply);
      return "answer" in found && balanced(found.answer) ? `\\boxed{${found.answer}}` : null;
    }),
    verify: (reply, gold, percent) => verifyMath(reply, gold, { percent }),
    write: (gold) => `\\boxed{${gold}}`,
  },
  hashes: {
    format: questionFormat("Reason step by step and end with a line #### and the number.", (reply) => {
      const number = decimalAfter(afterThought(reply) ?? "");
      return number === null ? null : `#### ${number}`;
    }),
    verify: (reply, gold) => verifyGsm8k(reply, gold),
    write: (gold) => `#### ${gold}`,
  },
} as const satisfies Readonly<Record<string, MathAnswer>>;

/** A name in {@link mathAnswers}. */
export type MathAnswerName = keyof typeof mathAnswers;

function balanced(text: string): boolean {
  let depth = 0;
  for (const brace of text.replace(/\\./gs, "").match(/[{}]/g) ?? []) {
    depth += brace === "{" ? 1 : -1;
    if (depth < 0) return false;
  }
  return depth === 0 && !text.endsWith("\\");
}
