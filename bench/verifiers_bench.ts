import { type Call, parseCalls } from "../envs/function_call/call.ts";
import { verifyCountdown } from "../envs/countdown/verify_countdown.ts";
import { verifyFunctionCall } from "../envs/function_call/verify_function_call.ts";
import { verifyGsm8k } from "../envs/math/verify_gsm8k.ts";
import { verifyMath } from "../envs/math/verify_math.ts";
import { verifyMultipleChoice } from "../envs/multiple_choice/verify_multiple_choice.ts";

/** Verdicts a second on one thread, replies of a usual length. */
export interface VerifiersBenchResult {
  readonly countdown_per_second: number;
  readonly function_call_per_second: number;
  readonly gsm8k_per_second: number;
  readonly math_number_per_second: number;
  readonly math_expression_per_second: number;
  readonly multiple_choice_per_second: number;
}

/** Bars that {@link benchVerifiers} meets. */
export const verifiersBars = { countdown_per_second: 20_000, function_call_per_second: 20_000 } as const;

const thought = `<think>${"Let us see what follows from this. ".repeat(30)}</think>`;

/** Measures each verifier for `milliseconds`, best of three. */
export function benchVerifiers(milliseconds = 100): VerifiersBenchResult {
  const calls = '[{"name": "get_weather", "arguments": {"city": "Paris", "days": 3, "units": ["C", "F"]}}]';
  const gold = { calls: parseCalls(calls) as readonly Call[] };
  const game = { nums: [3, 5, 25, 7], target: 67 };
  const options = ["the roof", "the floor", "the door", "the wall"];
  const rate = (reply: string, verify: (reply: string) => { readonly ok: boolean }) =>
    Math.max(...[0, 1, 2].map(() => perSecond(reply, verify, milliseconds)));
  return {
    countdown_per_second: rate("<answer>(25 - 5) * 3 + 7</answer>", (r) => verifyCountdown(r, game)),
    function_call_per_second: rate(calls, (r) => verifyFunctionCall(r, gold)),
    gsm8k_per_second: rate("#### 1,234", (r) => verifyGsm8k(r, "1234")),
    math_number_per_second: rate("\\boxed{\\frac{3}{4}}", (r) => verifyMath(r, "0.75")),
    math_expression_per_second: rate("\\boxed{(x+1)^2}", (r) => verifyMath(r, "x^2+2x+1")),
    multiple_choice_per_second: rate("\\boxed{B}", (r) => verifyMultipleChoice(r, { answer: "B", options })),
  };
}

function perSecond(
  reply: string,
  verify: (reply: string) => { readonly ok: boolean },
  milliseconds: number,
): number {
  const whole = `${thought} So the answer is ${reply}`;
  const text = verify(whole).ok ? whole : thought + reply;
  const start = performance.now();
  let count = 0;
  let elapsed = 0;
  while (elapsed < milliseconds) {
    for (let i = 0; i < 50; i++) {
      if (!verify(text).ok) throw new Error(`The bench's reply is refused: ${reply}`);
    }
    count += 50;
    elapsed = performance.now() - start;
  }
  return Math.round(count / elapsed * 1000);
}

if (import.meta.main) console.log(benchVerifiers());
