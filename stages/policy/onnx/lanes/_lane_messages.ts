import type { Weights } from "../../../engine/weights.ts";
import type { GenerateRequest, Generation, PolicyCounters } from "../../policy.ts";
import type { GeneratorOptions } from "../generator.ts";

/** What a worker's lane is asked to do. */
export type LaneRequest =
  | { readonly kind: "open"; readonly options: GeneratorOptions }
  | { readonly kind: "generate"; readonly requests: readonly GenerateRequest[] }
  /** `weights` replace those that the worker has under the same names. */
  | { readonly kind: "sync"; readonly weights: Weights; readonly version: number }
  | { readonly kind: "release"; readonly sessions?: readonly string[] }
  | { readonly kind: "abort" }
  | { readonly kind: "close" };

/** The answer to the oldest request that has none; `release` and `abort` get none. */
export interface LaneReply {
  readonly generations: readonly Generation[];
  readonly counters: PolicyCounters;
  readonly error?: { readonly operation: string; readonly reason: string };
}
