import type { Pipeline } from "./pipeline.ts";

/**
 * ReflectRL (arXiv 2608.03972): the first K_t of a task's `rollout.n` attempts see a
 * golden negative trajectory, a failed attempt at the same task, and are asked to
 * repair it; the others start from the task alone. Both kinds share one group, and each
 * trains in the context that it was sampled in. K_t falls by `reflective.kernel`.
 * Everything else is the algorithm that `base` names, found by `algorithm`: with
 * K_t = 0 this is that algorithm.
 */
export function reflectRl(algorithm: (name: string) => Pipeline): Pipeline {
  const compose: (...given: Parameters<Pipeline>) => ReturnType<Pipeline> = (config, context) =>
    algorithm(config.algorithm.base)(config, context);
  return Object.assign(compose, {
    defaults: {},
    reads: ["reflective"],
    requires: ["reflective.file"],
    base: "base",
  });
}
