import { Effect, Result } from "effect";
import process from "node:process";
import { openRunFolder } from "../pipelines/run_folder/run_folder.ts";
import { makeProgress } from "../pipelines/terminal/progress.ts";
import { trainLoop } from "../pipelines/run/train_loop.ts";
import { loadConfig } from "../stages/config/load_config.ts";

/** What a few steps of the default run cost. */
export interface RunBenchResult {
  /** Time in stages outside policy, engine and environment, over step time. */
  readonly stage_overhead: number;
  /** Median seconds of a step. */
  readonly step_seconds: number;
  /** Tokens sampled, prefilled and trained a second. */
  readonly tokens_per_second: number;
  /** Largest resident size of the process so far, in GB (10⁹ bytes). */
  readonly peak_memory_gb: number;
}

/** Trains `steps` steps of the shipped configuration in a temporary run folder. */
export async function benchRun(steps = 12): Promise<RunBenchResult> {
  const folder = Deno.makeTempDirSync({ prefix: "pivot-bench-" });
  try {
    const overrides = [`trainer.run_dir=${folder}/run`, `trainer.total_steps=${steps}`, "task.eval_tasks=64"];
    const config = Result.getOrThrow(loadConfig({ source: "bench", overrides }));
    await Effect.runPromise(Effect.scoped(Effect.gen(function* () {
      const run = yield* openRunFolder(config);
      yield* trainLoop(config, run, makeProgress("none", steps, { write: () => {} }));
    })));
    const lines = Deno.readTextFileSync(`${folder}/run/metrics.jsonl`).trim().split("\n").map((line) =>
      JSON.parse(line) as Record<string, number>
    );
    // The first step builds sessions.
    const timed = lines.filter(({ step }) => step > 1);
    const sum = (name: string) => timed.reduce((total, line) => total + (line[name] ?? 0), 0);
    const step = sum("timing_s/step");
    const services = sum("timing_s/policy") + sum("timing_s/engine") + sum("timing_s/environment");
    const seconds = timed.map((line) => line["timing_s/step"]).sort((a, b) => a - b);
    return {
      stage_overhead: (step - services) / step,
      step_seconds: seconds[seconds.length >> 1],
      tokens_per_second: sum("perf/total_num_tokens") / step,
      peak_memory_gb: process.resourceUsage().maxRSS * 1024 / 1e9,
    };
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}
