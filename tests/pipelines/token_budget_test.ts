/**
 * Runs that end after a number of generated tokens, counted by the policy service.
 *
 * @module
 */
import { Context, Effect, Layer, Stream } from "effect";
import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { grpo } from "../../pipelines/grpo.ts";
import { pipeline } from "../../pipelines/pipeline.ts";
import { registerPipeline } from "../../pipelines/pipelines.ts";
import { makeProgress } from "../../pipelines/terminal/progress.ts";
import { type MetricsLine, readMetrics } from "../../pipelines/report/read_run.ts";
import { openRunFolder } from "../../pipelines/run_folder/run_folder.ts";
import { runLayers } from "../../pipelines/run/run_layers.ts";
import { trainLoop } from "../../pipelines/run/train_loop.ts";
import { Policy } from "../../stages/policy/policy.ts";
import { mask } from "../../stages/mask/mask.ts";
import { sample } from "../../stages/sample/sample.ts";
import { score } from "../../stages/score/score.ts";
import { withoutRetries } from "../../stages/stitch/without_retries.ts";
import { amplify } from "../../stages/amplify/amplify.ts";
import { update } from "../../stages/update/update.ts";
import { smallConfig } from "./_train.ts";

const GENERATED = "rollout/generated_tokens";

// Samples twice as many groups as it trains on, and reports next to nothing.
registerPipeline(
  "understating",
  pipeline({
    reads: grpo.reads,
    defaults: grpo.defaults,
    stages: (options) => (tasks) =>
      tasks.pipe(
        sample(options.sample),
        Stream.filter(({ cursor }) => cursor % 2 === 0),
        withoutRetries(),
        score(options.score),
        mask(options.mask),
        amplify(options.amplify),
        update(options.update),
        Stream.map((report) => ({ ...report, metrics: { ...report.metrics, [GENERATED]: 1 } })),
      ),
  }),
);

/** What left the policy, by what it was asked for; a reflection is asked for with its own limit of tokens. */
interface Sampled {
  training: number;
  reflections: number;
  evaluation: number;
}

/** Trains with a policy whose answers are counted on their way. */
async function trained(...overrides: readonly string[]) {
  const folder = Deno.makeTempDirSync();
  const config = smallConfig(
    `trainer.run_dir=${folder}/run`,
    "trainer.total_steps=50",
    "task.eval_tasks=4",
    "algorithm.kl_coef=0",
    "eval.temperatures=[1]",
    "log.attempts_every=0",
    ...overrides,
  );
  const sampled: Sampled = { training: 0, reflections: 0, evaluation: 0 };
  const counting = Layer.effect(
    Policy,
    Effect.map(Policy, (policy) =>
      Policy.of({
        ...policy,
        generate: (requests) =>
          Effect.tap(policy.generate(requests), (generations) =>
            Effect.sync(() => {
              generations.forEach(({ ids }, i) => {
                const { seed, maxTokens } = requests[i];
                if (seed.startsWith("eval/")) sampled.evaluation += ids.length;
                else sampled.training += ids.length;
                if (maxTokens === config.algorithm.reflect_max_tokens) sampled.reflections += ids.length;
              });
            })),
      })),
  );
  try {
    const lines = await Effect.runPromise(
      Effect.scoped(Effect.gen(function* () {
        const built = yield* Layer.build(runLayers(config, config.policy.path));
        const services = Layer.succeedContext(built);
        const counted = yield* Layer.build(counting).pipe(Effect.provide(services));
        const run = yield* openRunFolder(config);
        yield* trainLoop(
          config,
          run,
          makeProgress("none", 1, { write: () => {} }),
          Layer.succeedContext(Context.merge(built, counted)),
        );
        const next = yield* Effect.scoped(Effect.succeed(run.lastCheckpoint()));
        assert(next !== null);
        const { tokens } = JSON.parse(Deno.readTextFileSync(`${next}/manifest.json`));
        assertEquals(tokens, sampled.training, "the checkpoint knows the tokens");
        return yield* readMetrics(run.path);
      })),
    );
    return { lines, sampled };
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

const generated = (lines: readonly MetricsLine[]) => lines.map(({ values }) => values[GENERATED] ?? 0);
const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);

Deno.test("reports and retries count, evaluations do not, and the step that reaches the budget is the last", async () => {
  const { lines, sampled } = await trained("trainer.total_tokens=900", "trainer.eval_tokens=400");
  assert(sampled.reflections > 0 && sampled.evaluation > 0, JSON.stringify(sampled));
  assertEquals(sum(generated(lines)), sampled.training);
  assert(sampled.training >= 900, `${sampled.training}`);
  assert(sum(generated(lines).slice(0, -1)) < 900);
  const evaluated = lines.filter(({ values }) => "timing_s/eval" in values).map(({ step }) => step);
  assertEquals([evaluated[0], evaluated[evaluated.length - 1]], [0, lines.length - 1]);
  assert(evaluated.length >= 3, `evaluated after ${evaluated}`);
  // The rate falls with the tokens that earlier steps generated, whatever number of steps they are.
  const { lr, final_fraction: final } = smallConfig().optim;
  lines.slice(1).forEach(({ values }, i) => {
    const used = sum(generated(lines).slice(0, i + 1)) / 900;
    assertAlmostEquals(values["actor/lr"], lr * (1 - (1 - final) * used), 1e-12);
  });
});

Deno.test("a pipeline that hides what it sampled gets no more of it", async () => {
  const { lines, sampled } = await trained("algorithm.name=understating", "trainer.total_tokens=900");
  assertEquals(sum(generated(lines)), sampled.training);
  assert(sampled.training >= 900 && sum(generated(lines).slice(0, -1)) < 900);
});
