import type { EvalReport } from "./eval_report.ts";

/** Why an evaluation is no good, one line each: too many attempts without a verdict, or too much forgotten. */
export function evalFaults({ benchmarks, forgetting }: EvalReport): readonly string[] {
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
  const unchecked = benchmarks.flatMap(({ name, results, maxUnchecked }) =>
    results.flatMap(({ policy, success, guidance }) =>
      [...success.map(({ temperature, failed }) => ({ what: `temperature ${temperature}`, failed })), {
        what: "first attempts",
        failed: guidance?.failed ?? 0,
      }].filter(({ failed }) => failed > maxUnchecked).map(({ what, failed }) =>
        `${name}, policy ${policy}, ${what}: ${percent(failed)} of the attempts got no verdict, at most ` +
        `${percent(maxUnchecked)} may (eval.max_unchecked)`
      )
    )
  );
  const forgotten = forgetting.filter(({ passed }) => !passed).map(({ benchmark, temperature, ...change }) =>
    `${benchmark}, temperature ${temperature}: success fell from ${change.before.toFixed(3)} to ` +
    `${change.after.toFixed(3)}, by more than ${(change.allowed ?? 0).toFixed(3)} (eval.forget_margin)`
  );
  return [...unchecked, ...forgotten];
}
