import type { ExpertDiagnosis } from "../../envs/env.ts";
import type { DiagnosedAttempt, Retry } from "../../stages/record.ts";
import { type TokenStatistics, tokenStatistics } from "./statistics/token_statistics.ts";
import { wilsonInterval } from "./statistics/wilson_interval.ts";
import { categoryOf, counted } from "./success_report.ts";

/** Whose advice guides the retry: the policy's, an expert's, nobody's, or another episode's. */
export type GuidanceSource = "own" | "oracle" | "none" | "shuffled";

/** First and second attempts: how well reports are written and how much they help. */
export interface GuidanceReport {
  readonly source: GuidanceSource;
  /** Sampling temperatures of both attempts, and of the reflection between them. */
  readonly temperatures: { readonly attempts: number; readonly reflections: number };
  /** How many tasks were played. */
  readonly tasks: number;
  /** Share of first attempts that won. */
  readonly baseSuccess: number;
  /** 95 % Wilson interval of `baseSuccess`. */
  readonly baseInterval: readonly [number, number];
  /** Share of tasks won by the first attempt or, only after it failed, by the second; never below `baseSuccess`. */
  readonly secondSuccess: number;
  /** 95 % Wilson interval of `secondSuccess`. */
  readonly secondInterval: readonly [number, number];
  /** Share of the attempts that were asked for a report and wrote a valid one. */
  readonly validReports: number;
  /** Share of valid reports whose claim (success or not) is true. */
  readonly outcomeRight: number;
  /** Share of failed attempts whose suggestion is the expert's; NaN without an expert. */
  readonly suggestionRight: number;
  /** Share of failed attempts whose pivot is the expert's; NaN without an expert. */
  readonly pivotRight: number;
  /** How many second attempts were made. */
  readonly retries: number;
  /** Share of retries that succeed, over failed attempts whose report says so. */
  readonly retrySuccess: number;
  /** Share of first attempts without a verdict; they get no second one. */
  readonly failed: number;
  /** Category of the first attempt's verdict → share of tasks; together 1. */
  readonly categories: Readonly<Record<string, number>>;
  /** Sampled tokens of the reflections on failures. */
  readonly reflections: TokenStatistics;
  /** Share of the reflections on failures that were cut at the token limit. */
  readonly cutReflections: number;
  /** Task → [first, second] attempt's success, each 0 or 1, second as in `secondSuccess`. */
  readonly byTask: Readonly<Record<string, readonly [number, number]>>;
}

/** A first attempt with what followed it. */
export interface Judged {
  readonly task: string;
  readonly attempt: DiagnosedAttempt;
  readonly expert: ExpertDiagnosis | undefined;
  readonly retry: Retry | undefined;
}

/** Sums up first attempts, their reports and second attempts. */
export function guidanceReport(
  source: GuidanceSource,
  judged: readonly Judged[],
  temperatures: GuidanceReport["temperatures"],
): GuidanceReport {
  const n = judged.length;
  const share = <T>(items: readonly T[], holds: (item: T) => boolean) =>
    items.length === 0 ? NaN : items.filter(holds).length / items.length;
  const isSecond = ({ attempt, retry }: Judged) => attempt.won || retry?.guided.won === true;
  const asked = judged.filter(({ attempt }) => attempt.diagnosis.invalid !== "not_asked");
  const reported = judged.filter(({ attempt }) => attempt.diagnosis.report !== null);
  const expertly = judged.filter(({ attempt, expert }) => !attempt.won && expert !== undefined);
  const retried = judged.filter(({ retry }) => retry !== undefined);
  const reflected = asked.filter(({ attempt }) => !attempt.won);
  return {
    source,
    temperatures,
    tasks: n,
    baseSuccess: share(judged, ({ attempt }) => attempt.won),
    baseInterval: wilsonInterval(judged.filter(({ attempt }) => attempt.won).length, n),
    secondSuccess: share(judged, isSecond),
    secondInterval: wilsonInterval(judged.filter(isSecond).length, n),
    validReports: share(asked, ({ attempt }) => attempt.diagnosis.report !== null),
    outcomeRight: share(
      reported,
      ({ attempt }) => (attempt.diagnosis.report!.trajectory_outcome !== "failure") === attempt.won,
    ),
    suggestionRight: share(
      expertly,
      ({ attempt, expert }) => attempt.diagnosis.report?.improvement_suggestion === expert!.suggestion,
    ),
    pivotRight: share(
      expertly,
      ({ attempt, expert }) => attempt.diagnosis.report?.retry_from_step === expert!.pivot,
    ),
    retries: retried.length,
    retrySuccess: share(retried, ({ retry }) => retry!.guided.won),
    failed: share(judged, ({ attempt }) => attempt.failure !== undefined),
    categories: counted(judged.map(({ attempt }) => categoryOf(attempt)), (count) => count / n),
    reflections: tokenStatistics(
      reflected.map(({ attempt: { diagnosis: { tokens } } }) =>
        tokens.ids.filter((_, t) => tokens.mask[t] === 1)
      ),
    ),
    cutReflections: share(reflected, ({ attempt }) => attempt.diagnosis.invalid === "truncated"),
    byTask: Object.fromEntries(
      judged.map((one) => [one.task, [Number(one.attempt.won), Number(isSecond(one))] as const]),
    ),
  };
}
