import { Effect, type Scope } from "effect";
import { ConfigError, FileError } from "../../stages/errors.ts";
import type { Progress } from "../progress.ts";
import { duration } from "../progress_line.ts";
import { lockFolder } from "../run_folder/lock_folder.ts";
import { tryFile } from "../run_folder/try_file.ts";
import { chooseRate, type RateSearch } from "./choose_rate.ts";
import type { Comparison, RunSpec } from "./comparison.ts";
import { checkFolders, finishedRun } from "./finished_run.ts";
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
 * results. A run that fails is told and left out; files that cannot be written and
 * changed configurations end the comparison. Takes up where it was stopped.
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
    const total = searchRuns.length + comparison.runs(() => settings.search.rates[0]).length;
    const pace = makePace(comparison);
    const failures: string[] = [];
    let done = 0;
    const runAll = Effect.fnUntraced(function* (specs: readonly RunSpec[]) {
      const results: RunResult[] = [];
      for (const spec of specs) {
        const name = `${spec.start} ${spec.entry} lr ${spec.rate} seed ${spec.seed}`;
        const known = yield* finishedRun(spec);
        const label = `${++done}/${total} ${name}`;
        const began = performance.now();
        const result = known ?? (yield* trainRun(spec, named(label, progress)).pipe(
          Effect.catchIf(
            (error) => !(error instanceof ConfigError || error instanceof FileError),
            (error) =>
              Effect.sync(() => {
                failures.push(`${name}: ${error.message}`);
                progress.note(`${label}: failed: ${error.message}`);
                return null;
              }),
          ),
        ));
        if (result === null) continue;
        results.push(result);
        if (known !== null) continue;
        const left = pace(spec, (performance.now() - began) / 1000, total - done);
        const [first, last] = [result.curve[0].success, result.curve[result.curve.length - 1].success];
        progress.note(`${label}: ${first.toFixed(2)} to ${last.toFixed(2)}`);
        progress.note(`  ${Math.round(result.tokens)} tokens, ${duration(result.seconds)}; ${left}`);
      }
      return results;
    });

    const searched = yield* runAll(searchRuns);
    const searches = new Map<string, RateSearch>();
    const searchOf = (start: string, entry: string): RateSearch => {
      const name = `${start}/${entry}`;
      const found = searches.get(name) ??
        chooseRate(searched.filter((r) => r.start === start && r.entry === entry), settings.search);
      searches.set(name, found);
      return found;
    };
    const runs = comparison.runs((start, entry) => searchOf(start, entry).chosen);
    yield* checkFolders(runs);
    const results = yield* runAll(runs);
    return { ...yield* writeResults(comparison, results, searchOf), failures };
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

/** Estimates what is left from the seconds a token took so far. */
function makePace({ settings }: Comparison) {
  let [seconds, tokens] = [0, 0];
  const budget = ({ phase }: Pick<RunSpec, "phase">) =>
    phase === "search" ? settings.search.tokens : settings.tokens;
  return (spec: RunSpec, took: number, runsLeft: number): string => {
    seconds += took;
    tokens += budget(spec);
    const main = Object.keys(settings.starts).length * Object.keys(settings.entries).length *
      settings.seeds.length;
    const tokensLeft = Math.min(runsLeft, main) * settings.tokens +
      Math.max(0, runsLeft - main) * settings.search.tokens;
    return `about ${duration(seconds / tokens * tokensLeft)} left`;
  };
}
