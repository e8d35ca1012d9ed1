import { Result } from "effect";
import type { ComparisonConfig } from "../../stages/config/comparison_config.ts";
import type { ConfigInput } from "../../stages/config/load_config.ts";
import { loadComparison } from "../../stages/config/load_comparison.ts";
import type { RunConfig } from "../../stages/config/run_config.ts";
import { ConfigError } from "../../stages/errors.ts";
import { makeRunConfig, reservedFaults } from "./make_run_config.ts";

/** Whether a run chooses a learning rate or is compared. */
export type Phase = "search" | "run";

/** One run of a comparison. */
export interface RunSpec {
  readonly phase: Phase;
  readonly start: string;
  readonly entry: string;
  readonly rate: number;
  readonly seed: number;
  readonly config: RunConfig;
}

/** Gives the learning rate of an entry from a start; undefined = none was found. */
export type RateOf = (start: string, entry: string) => number | undefined;

/** A comparison and the runs that it is made of. */
export interface Comparison {
  readonly settings: ComparisonConfig;
  /** The method that the others are subtracted from. */
  readonly reference: string;
  /** Runs that choose learning rates; none if there is no choice. */
  readonly searchRuns: readonly RunSpec[];
  /** Runs that are compared, seed by seed, so that an early look covers all methods. */
  readonly runs: (rateOf: RateOf) => readonly RunSpec[];
}

/** Reads a comparison and the configuration of every run; the failure lists all faults. */
export function makeComparison(
  input: Omit<ConfigInput, "algorithms">,
): Result.Result<Comparison, ConfigError> {
  const loaded = loadComparison(input);
  if (Result.isFailure(loaded)) return Result.fail(loaded.failure);
  const settings = loaded.success;
  const starts = Object.keys(settings.starts);
  const entries = Object.keys(settings.entries);
  const { rates, seeds: searchSeeds } = settings.search;
  const pairs = starts.flatMap((start) => entries.map((entry) => ({ start, entry })));

  const faults = new Map(reservedFaults(settings).map((fault) => [fault.path, fault]));
  const specOf = (place: Omit<RunSpec, "config">): RunSpec | undefined => {
    const made = makeRunConfig(settings, place);
    if (Result.isSuccess(made)) return { ...place, config: made.success };
    for (const { path, message } of made.failure.faults) {
      // A fault of the base shows in every run; told once, with the first.
      const key = `${path}: ${message}`;
      if (!faults.has(key)) faults.set(key, { path: `${place.start}, ${place.entry}: ${path}`, message });
    }
  };
  const specs = (places: readonly Omit<RunSpec, "config">[]) =>
    places.flatMap((place) => specOf(place) ?? []);

  const searchRuns = rates.length === 1 ? [] : specs(
    pairs.flatMap((pair) =>
      searchSeeds.flatMap((seed) => rates.map((rate) => ({ phase: "search" as const, ...pair, rate, seed })))
    ),
  );
  const runs = (rateOf: RateOf) =>
    specs(settings.seeds.flatMap((seed) =>
      pairs.flatMap((pair) => {
        const rate = rateOf(pair.start, pair.entry);
        return rate === undefined ? [] : [{ phase: "run" as const, ...pair, rate, seed }];
      })
    ));
  runs(() => rates[0]);
  return faults.size > 0
    ? Result.fail(new ConfigError({ source: input.source, faults: [...faults.values()] }))
    : Result.succeed({ settings, searchRuns, runs, reference: settings.reference ?? entries[0] });
}
