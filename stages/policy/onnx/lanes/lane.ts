import type { Weights } from "../../../engine/weights.ts";
import type { GenerateRequest, Generation, PolicyCounters } from "../../policy.ts";

/** What samples batches of sequences and holds their caches. Calls must not overlap. */
export interface Lane {
  readonly version: number;
  readonly counters: PolicyCounters;
  /** Continues every request until it stops; rejects with a PolicyError. */
  generate(requests: readonly GenerateRequest[], signal?: AbortSignal): Promise<Generation[]>;
  /** Takes a copy of `weights` and drops every cache; rejects with a PolicyError. */
  sync(weights: Weights, version: number): Promise<void>;
  /** Drops the caches of these sessions, or of all. */
  release(sessions?: readonly string[]): void;
  close(): Promise<void>;
}
