import type { Stream } from "effect";
import { amplify } from "../stages/amplify/amplify.ts";
import type { RunConfig } from "../stages/config/run_config.ts";
import { diagnose } from "../stages/diagnose/diagnose.ts";
import { mask } from "../stages/mask/mask.ts";
import type { TaskAt } from "../stages/record.ts";
import { replay } from "../stages/replay/replay.ts";
import { repeatFailures } from "../stages/sample/repeat_failures.ts";
import { sample } from "../stages/sample/sample.ts";
import { score } from "../stages/score/score.ts";
import { stitch } from "../stages/stitch/stitch.ts";
import { synchronise } from "../stages/update/synchronise.ts";
import { update } from "../stages/update/update.ts";
import { reportKeys, updateKeys } from "./_keys.ts";
import { failureRow } from "./failure_set/failure_row.ts";
import { recallFailures } from "./failure_set/recall_failures.ts";
import { pipeline } from "./pipeline.ts";
import type { StageOptions } from "./run/stage_options.ts";

/**
 * Reflect, Retry, Reward (arXiv 2505.24726): one attempt a task; a failure gets
 * `rollout.n` reflections and a retry from the first turn after each. Only the
 * reflections' tokens train, each rewarded by its own retry and compared with the
 * other reflections on the same failure. KL penalty 0.001, cosine schedule. With
 * `algorithm.offline` the failures are those of a file that `deno task failures` made;
 * else each is sampled when it is its turn.
 */
export const reflectRetryReward = pipeline({
  reads: [...updateKeys, ...reportKeys, "offline", "retry_context", "replay"],
  defaults: {
    algorithm: {
      amplification: "none",
      credit: "none",
      auxiliary: { reflect_weight: 0, retry_weight: 0 },
      estimator: "grpo",
      loss: "ppo",
      aggregation: "token-mean",
      kl_coef: 0.001,
      kl_estimator: "k3",
    },
    optim: { schedule: "cosine", final_fraction: 0 },
  },
  offlineRow: failureRow,
  stages: (options, config) => (tasks) =>
    firstAttempts(tasks, options, config).pipe(
      repeatFailures(config.rollout.n),
      diagnose({ ...options.diagnose, successes: false }),
      stitch({
        ...options.stitch,
        trigger: "always",
        from: "start",
        context: config.algorithm.retry_context,
      }),
      score({ ...options.score, members: "reflections" }),
      mask(options.mask),
      amplify(options.amplify),
      replay(options.replay),
      update(options.update),
      synchronise(options.syncEvery),
    ),
});

/** First attempts, sampled now or stored. */
const firstAttempts = <E, R>(
  tasks: Stream.Stream<TaskAt, E, R>,
  { sample: options }: StageOptions,
  config: RunConfig,
) => {
  const { offline } = config.algorithm;
  return offline === null ? tasks.pipe(sample({ ...options, attempts: 1 })) : tasks.pipe(
    recallFailures(offline, { ...options, seed: config.trainer.seed, badRows: config.data.bad_rows }),
  );
};
