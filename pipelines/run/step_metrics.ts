import type { EngineCounters } from "../../stages/engine/engine.ts";
import type { PolicyCounters } from "../../stages/policy/policy.ts";
import type { Metrics } from "../../stages/record.ts";

/** Counters of both services. */
export type Counted = PolicyCounters & EngineCounters;

/** Spans whose time is reported, in the order of the data. */
const SPANS = ["sample", "diagnose", "stitch", "score", "mask", "amplify", "update", "eval"] as const;
/** Spans inside them: what the stages themselves did not spend. */
const SERVICES = ["policy", "engine", "environment"] as const;

/**
 * What a step cost: `timing_s/*` in seconds by span, `perf/*` rates and memory
 * (both differ from run to run), and tokens (which do not).
 */
export function stepMetrics(
  seconds: Readonly<Record<string, number>>,
  before?: Counted,
  after?: Counted,
): Metrics {
  const metrics: Record<string, number> = {};
  for (const span of [...SPANS, ...SERVICES]) {
    if (seconds[span] !== undefined) metrics[`timing_s/${span}`] = seconds[span];
  }
  if (before === undefined || after === undefined) return metrics;
  const stages = SPANS.filter((span) => span !== "eval").reduce((sum, span) => sum + (seconds[span] ?? 0), 0);
  const generated = after.generatedTokens - before.generatedTokens;
  const trained = after.backwardTokens - before.backwardTokens;
  const total = generated + after.prefillTokens - before.prefillTokens + trained;
  return {
    ...metrics,
    "timing_s/step": stages,
    "perf/total_num_tokens": total,
    "perf/throughput": stages > 0 ? total / stages : 0,
    "perf/max_memory_reserved_gb": Deno.memoryUsage().rss / 2 ** 30,
    "rollout/generated_tokens": generated,
    "training/trained_tokens": trained,
  };
}
