import type { Split } from "../../envs/env.ts";
import type { Forgetting } from "./forgetting.ts";
import type { GuidanceReport } from "./guidance_report.ts";
import type { SuccessReport } from "./success_report.ts";

/** What `deno task eval` measured; `results.json` is this. */
export interface EvalReport {
  /** The policies: `before` only with a baseline. */
  readonly policies: readonly PolicyName[];
  readonly benchmarks: readonly BenchmarkReport[];
  /** How success changed from `before` to `after`, by benchmark and temperature. */
  readonly forgetting: readonly Forgetting[];
}

/** A policy that was measured. */
export interface PolicyName {
  readonly name: "before" | "after";
  readonly path: string;
}

/** One benchmark: what was played, and what came out for each policy. */
export interface BenchmarkReport {
  readonly name: string;
  readonly environment: string;
  readonly split: Split;
  readonly tasks: number;
  /** Seed of everything random; the same for every policy. */
  readonly seed: number;
  /** Largest allowed share of attempts without a verdict. */
  readonly maxUnchecked: number;
  readonly results: readonly BenchmarkResult[];
}

/** One policy on one benchmark. */
export interface BenchmarkResult {
  readonly policy: PolicyName["name"];
  /** One for each temperature. */
  readonly success: readonly SuccessReport[];
  /** First and second attempts; null if they were not asked for. */
  readonly guidance: GuidanceReport | null;
}
