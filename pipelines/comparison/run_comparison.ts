import { Effect, type Scope } from "effect";
import { searchTokens } from "../../stages/config/comparison_config.ts";
import { ConfigError, FileError } from "../../stages/errors.ts";
import type { Progress } from "../terminal/progress.ts";
import { duration } from "../terminal/progress_line.ts";
import { lockFolder } from "../run_folder/lock_folder.ts";
import { tryFile } from "../run_folder/try_file.ts";
import { chooseRate, type RateSearch } from "./choose_rate.ts";
import type { Comparison, RunSpec } from "./comparison.ts";
import { checkFolders, finishedRun } from "./finished_run.ts";
import { makePace } from "./pace.ts";
import type { RunResult } from "./run_result.ts";
import { trainRun } from "./train_run.ts";
import { writeResults, type Written } from "./write_results.ts";

/** What a comparison came to. */
export interface ComparisonOutcome extends Written {
  /** Runs that ended with an error, and which; the others are in the tables. */
  readonly failures: readonly string[];
}

/**
 * Trains what has not finished yet, the search of learning rates first, and writes the
 * results: tables after every run, the page when all runs of a seed are through, at the
 * end and when it is interrupted. A run that fails is told and left out; files that
 * cannot be written and changed configurations end the comparison. Takes up where it
 * was stopped.
 */
export function runComparison(
  comparison: Comparison,
  progress: Progress,
): Effect.Effect<ComparisonOutcome, ConfigError | FileError, Scope.Scope> {
  return Effect.gen(function* () {
    const { settings, searchRuns } = comparison;
    const { folder } = settings;
    yield* checkFolders(searchRuns);
    yield* tryFile(folder, () => Deno.mkdirSync(folder, { recursive: true }));
    yield* lockFolder(folder);
    const pace = makePace(comparison);
    if (settings.train) progress.note(budgetText(comparison));
    const failures: string[] = [];

    const finish = Effect.fnUntraced(function* (spec: RunSpec) {
      const known = yield* finishedRun(spec);
      pace.next(spec);
      if (known !== null || !settings.train) return known;
      const name = `${spec.start} ${spec.entry} lr ${spec.rate} seed ${spec.seed}`;
      const label = `${pace.place()} ${name}`;
      const began = performance.now();
      const result = yield* trainRun(spec, named(label, progress)).pipe(
        Effect.catchIf(
          (error) => !(error instanceof ConfigError || error instanceof FileError),
          (error) =>
            Effect.sync(() => {
              failures.push(`${name}: ${error.message}`);
              progress.note(`${label}: failed: ${error.message}`);
              return null;
            }),
        ),
      );
      if (result === null) return null;
      const left = pace.left(spec, (performance.now() - began) / 1000);
      const [first, last] = [result.curve[0].success, result.curve[result.curve.length - 1].success];
      progress.note(`${label}: ${first.toFixed(2)} to ${last.toFixed(2)}`);
      progress.note(`  ${Math.round(result.tokens)} tokens, ${duration(result.seconds)}; ${left}`);
      return result;
    });

    const searched: RunResult[] = [];
    for (const spec of searchRuns) {
      const result = yield* finish(spec);
      if (result !== null) searched.push(result);
    }
    const searches = new Map<string, RateSearch>();
    const searchOf = (start: string, entry: string): RateSearch => {
      const name = `${start}/${entry}`;
      const found = searches.get(name) ??
        chooseRate(searched.filter((r) => r.start === start && r.entry === entry), {
          ...settings.search,
          tokens: searchTokens(settings),
        });
      searches.set(name, found);
      return found;
    };

    const runs = comparison.runs((start, entry) => searchOf(start, entry).chosen);
    yield* checkFolders(runs);
    const results: RunResult[] = [];
    const write = (withPage: boolean) => writeResults(comparison, results, searchOf, withPage);
    yield* Effect.gen(function* () {
      for (const [i, spec] of runs.entries()) {
        const result = yield* finish(spec);
        if (result === null) continue;
        results.push(result);
        const round = i > 0 && runs[i - 1].seed !== spec.seed;
        if (settings.train) yield* write(round);
      }
    }).pipe(Effect.onInterrupt(() => Effect.ignore(write(true))));
    return { ...yield* write(true), failures };
  });
}

/** A run's steps as an activity; what it notes is not told. */
function named(label: string, { activity, end }: Progress): Progress {
  return {
    step: (step) => activity(`${label}: step ${step}`),
    activity: (text) => activity(`${label}: ${text}`),
    note: () => {},
    end,
  };
}

/** How much is to be generated in all, before it begins. */
function budgetText({ settings, searchRuns, runs }: Comparison): string {
  const compared = runs(() => 1).length;
  const count = (n: number) => n.toLocaleString("en-US");
  const search = searchRuns.length === 0
    ? ""
    : `, after ${count(searchRuns.length)} of ${count(searchTokens(settings))} that choose learning rates`;
  return `${count(compared)} runs of ${count(settings.tokens)} generated tokens${search}`;
}
