import { Effect, Layer } from "effect";
import type { RunConfig } from "../stages/config/run_config.ts";
import type { EngineError, EnvError, FileError, PolicyError } from "../stages/errors.ts";
import { evaluateGuidance, type GuidanceReport } from "./evaluation/evaluate_guidance.ts";
import { evaluateSuccess, type SuccessReport } from "./evaluation/evaluate_success.ts";
import { taskRange } from "./evaluation/task_range.ts";
import type { Progress } from "./progress.ts";
import { environmentOf, policyLayer } from "./run_layers.ts";
import { stageOptions } from "./stage_options.ts";

/** What `deno task eval` measures. */
export interface EvalReport {
  /** One for each of `eval.temperatures`. */
  readonly success: readonly SuccessReport[];
  readonly guidance: GuidanceReport;
}

/**
 * Measures the policy at `policy.path`: success in one attempt at each
 * temperature, then its reports and how much guidance from `eval.guidance` helps
 * a retry. The seed is fixed by `eval.seed`, so two policies play the same games
 * with the same random numbers.
 */
export function evalLoop(
  config: RunConfig,
  progress: Progress,
): Effect.Effect<EvalReport, EngineError | EnvError | FileError | PolicyError> {
  const { eval: settings, rollout } = config;
  const { diagnose, stitch } = stageOptions(config, 1);
  const play = {
    temperature: rollout.temperature,
    maxTokens: rollout.max_tokens,
    concurrency: rollout.concurrency,
    seed: settings.seed,
    batch: 2 * rollout.decode_batch,
  };
  return Effect.gen(function* () {
    const tasks = yield* taskRange(settings.split, 0, settings.tasks);
    const success: SuccessReport[] = [];
    for (const temperature of settings.temperatures) {
      progress.activity(`playing ${tasks.length} games at temperature ${temperature}`);
      success.push(yield* evaluateSuccess(tasks, { ...play, temperature }));
    }
    progress.activity(`playing ${tasks.length} games with guidance: ${settings.guidance}`);
    const guidance = yield* evaluateGuidance(tasks, settings.guidance, { play, diagnose, stitch });
    return { success, guidance };
  }).pipe(Effect.provide(Layer.mergeAll(policyLayer(config, config.policy.path), environmentOf(config))));
}
