import { duration } from "../terminal/progress_line.ts";
import { table } from "../terminal/table.ts";
import { headline, type HeadlineRow } from "./headline.ts";
import { pivotVerdict } from "./pivot_verdict.ts";
import type { Run } from "./read_run.ts";

/** What is printed at the end of a run: a table of at most 80 columns and a few lines. */
export function summary(run: Run): string {
  const { evaluations, training, steps, seconds, throughput } = headline(run);
  const row = ({ label, before, after }: HeadlineRow) => [
    label,
    before.toFixed(3),
    after.toFixed(3),
    (after < before ? "" : "+") + (after - before).toFixed(3),
  ];
  const speed = throughput === undefined
    ? ""
    : `, ${Math.round(throughput).toLocaleString("en-US")} tokens/s`;
  const numbers = table([
    [run.title, "before", "after", "change"],
    ...evaluations.map(row),
    ...training.map(row),
  ]);
  if (run.isEvaluation) return `${numbers}\n(before: eval.baseline if there was one)`;
  return [
    numbers,
    "(held-out: first and last evaluation; others: first and last ten steps)",
    "",
    `${steps} ${steps === 1 ? "step" : "steps"} in ${duration(seconds)}${speed}`,
    pivotVerdict(run.metrics).text,
  ].join("\n");
}
