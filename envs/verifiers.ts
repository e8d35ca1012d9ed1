import { verifyCountdown } from "./countdown/verify_countdown.ts";
import { verifyFunctionCall } from "./function_call/verify_function_call.ts";
import { verifyGsm8k } from "./math/verify_gsm8k.ts";
import { verifyMath } from "./math/verify_math.ts";
import { verifyMultipleChoice } from "./multiple_choice/verify_multiple_choice.ts";

/**
 * Verifiers by name: `(reply, gold, options?)` gives a `Verdict`. They are total:
 * any reply gets a verdict, and none is ever executed.
 */
export const verifiers = {
  countdown: verifyCountdown,
  function_call: verifyFunctionCall,
  gsm8k: verifyGsm8k,
  math: verifyMath,
  multiple_choice: verifyMultipleChoice,
} as const;

/** A name in {@link verifiers}. */
export type VerifierName = keyof typeof verifiers;
