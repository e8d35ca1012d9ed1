import { searchTokens } from "../../stages/config/comparison_config.ts";
import type { Comparison } from "./comparison.ts";
import type { Cost, EntrySummary, StartSummary } from "./summarise.ts";
import type { Interval } from "./student_interval.ts";

/** A table for the terminal, Markdown and HTML. */
export interface ComparisonTable {
  /** Name of the starting point. */
  readonly start: string;
  readonly title: string;
  readonly rows: readonly (readonly string[])[];
  readonly note: string;
}

/** The tables of a comparison: for each start what was reached, the differences, where the time went, what the search cost. */
export function tables(
  { settings, reference }: Comparison,
  starts: readonly StartSummary[],
): readonly ComparisonTable[] {
  const { gain, search } = settings;
  const budget = thousands(settings.tokens);
  const level = `+${gain}`;
  return starts.flatMap(({ start, before, entries }) => {
    const searched = entries.filter((entry) => entry.search.tried.length > 0);
    const all: readonly ComparisonTable[] = [
      {
        start,
        title: `${start}: held-out success, ${before.toFixed(3)} before training`,
        rows: [
          ["method", "lr", `at ${budget} k`, "mean", "k tokens", "seconds"],
          ...entries.map((entry) => [
            entry.entry,
            rateText(entry.rate) + (entry.search.atEdge ? "*" : ""),
            share(entry.success),
            share(entry.meanSuccess),
            costText(entry.costs.tokens, 1000),
            costText(entry.costs.seconds, 1),
          ]),
        ],
        note:
          `Mean and 95 % interval over ${
            runCount(entries)
          }. mean: on the way to ${budget} k tokens. k tokens and ` +
          `seconds: thousands of generated tokens, and seconds of training, to a gain of ${level}.` +
          (entries.some((entry) => entry.search.atEdge) ? " *: the best rate is the last one tried." : ""),
      },
      {
        start,
        title: `${start}: difference to ${reference}, on the same seeds`,
        rows: [
          ["method", `at ${budget} k`, "mean"],
          ...entries.flatMap(({ entry, minusReference: minus }) =>
            minus === null ? [] : [[entry, signed(minus.success), signed(minus.meanSuccess)]]
          ),
        ],
        note: "An interval that holds 0 is no difference beyond noise.",
      },
      {
        start,
        title: `${start}: seconds of a run`,
        rows: [
          ["method", "all", "cpu", "sample", "diagnose", "stitch", "update", "other", "steps", "k"],
          ...entries.map(timeRow),
        ],
        note:
          "Means over seeds, evaluations aside. cpu: seconds that processors worked, over all threads; they " +
          "hardly change with what else runs on the machine, the others do. k: thousands of tokens of a run, " +
          "which ends with the step that reaches the budget.",
      },
      {
        start,
        title: `${start}: search of the learning rate`,
        rows: [
          ["method", ...[...search.rates].sort((a, b) => a - b).map(rateText), "chosen", "k", "s"],
          ...searched.map(({ entry, search }) => [
            entry,
            ...search.tried.map(({ score }) => score === null ? "failed" : score.toFixed(3)),
            search.chosen === undefined ? "-" : rateText(search.chosen),
            thousands(search.tokens),
            search.seconds.toFixed(0),
          ]),
        ],
        note: `Mean held-out success on the way to ${thousands(searchTokens(settings))} k tokens, ` +
          `seeds ${search.seeds.join(", ")}. k and s: thousands of tokens and seconds (with evaluations) ` +
          "that the search cost.",
      },
    ];
    return all.filter(({ rows }) => rows.length > 1);
  });
}

function timeRow(
  { entry, seconds, processorSeconds, split, steps, tokens }: EntrySummary,
): readonly string[] {
  const shown = ["sample", "diagnose", "stitch", "update"];
  const rest = Object.entries(split).reduce((sum, [stage, s]) => shown.includes(stage) ? sum : sum + s, 0);
  return [
    entry,
    seconds.toFixed(1),
    processorSeconds?.toFixed(1) ?? "-",
    ...shown.map((stage) => split[stage].toFixed(1)),
    rest.toFixed(1),
    steps.toFixed(0),
    thousands(tokens),
  ];
}

function runCount(entries: readonly EntrySummary[]): string {
  const counts = entries.map(({ runs }) => runs.length);
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  if (most === 1) return "1 seed (no interval)";
  return least === most ? `${most} seeds` : `${least} to ${most} seeds`;
}

const share = ({ mean, half }: Interval) =>
  `${mean.toFixed(3)}${half === null ? "" : ` ± ${half.toFixed(3)}`}`;

const signed = (interval: Interval) => `${interval.mean < 0 ? "" : "+"}${share(interval)}`;

/** `38 ± 12`, or how many runs got there. */
function costText({ reached, runs, interval }: Cost, unit: number): string {
  if (interval === null) return `${reached} of ${runs}`;
  const number = (value: number) => (value / unit).toFixed(0);
  return `${number(interval.mean)}${interval.half === null ? "" : ` ± ${number(interval.half)}`}`;
}

/** `6e-4`. */
export function rateText(rate: number): string {
  return rate.toExponential();
}

const thousands = (tokens: number) => (tokens / 1000).toFixed(tokens < 10_000 ? 1 : 0);
