import type { RunConfig } from "./run_config.ts";

/** Applies the ablation switches and names the run folder, so that what is stored is what runs. */
export function resolveConfig(config: RunConfig): RunConfig {
  const { algorithm, task, trainer } = config;
  const name = `runs/${algorithm.name}-${task.environment}-seed${trainer.seed}`;
  return {
    ...config,
    algorithm: {
      ...algorithm,
      amplification: algorithm.without_amplification ? "none" : algorithm.amplification,
      credit: algorithm.without_credit ? "none" : algorithm.credit,
      reflection: algorithm.reflection && !algorithm.without_reflection,
    },
    trainer: { ...trainer, run_dir: trainer.run_dir ?? name },
  };
}
