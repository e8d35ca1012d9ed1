/**
 * An algorithm of one's own, composed, registered and trained: the example of composing.md.
 *
 * @module
 */
import { Effect, Result, Stream } from "effect";
import * as p from "../mod.ts";

/** A = R − R of the partner: a retry is compared with its own base attempt and with nothing else. */
const pairAdvantages: p.Stage<p.Masked, p.Amplified> = p.pureStage("amplify", (group) => {
  const advantages = group.members.map(({ kind, attempt, reward }) => {
    const partners = group.members.filter((other) => other.attempt === attempt && other.kind !== kind);
    const rewards = partners.flatMap((other) => other.reward ?? []);
    // No reward: the environment failed. No partner: there was no retry.
    if (reward === null || rewards.length === 0) return 0;
    return reward - rewards.reduce((a, b) => a + b) / rewards.length;
  });
  return { ...group, advantages, flat: advantages.every((a) => a === 0) };
});

const pairwise = p.pipeline({
  // Keys of section `algorithm` that mean something to it; setting another one is a fault.
  reads: ["loss", "loss_options", "aggregation", "reward", "credit", "retry_trigger", "reflect_temperature"],
  // What holds unless the configuration says otherwise.
  defaults: {
    algorithm: { amplification: "none", auxiliary: { reflect_weight: 0, retry_weight: 0 } },
    optim: { lr: 1e-3 },
  },
  stages: (options) => (tasks) =>
    tasks.pipe(
      p.sample(options.sample),
      p.diagnose(options.diagnose),
      p.stitch(options.stitch),
      p.score(options.score),
      p.mask(options.mask),
      pairAdvantages,
      p.update(options.update),
      p.synchronise(options.syncEvery),
    ),
});
p.registerPipeline("pairwise", pairwise);

const yaml = `
algorithm: { name: pairwise, loss: ppo }
rollout: { batch_size: 4 }
trainer: { total_steps: 3 }
`;
const config = Result.getOrThrow(p.loadConfig({ source: "own_algorithm.ts", yaml }));
const trained = p.taskStream(config).pipe(p.pipelines.pairwise(config));
const steps = Stream.runForEach(trained, ({ step, metrics }) =>
  Effect.sync(() => {
    const [reward, rows] = [metrics["critic/score/mean"], metrics["training/rows"] ?? 0];
    console.log(`step ${step}: mean reward ${reward.toFixed(3)}, ${rows} rows trained`);
  }));
await Effect.runPromise(
  steps.pipe(Effect.provide(p.runLayers(config, config.policy.path)), Effect.scoped),
);
