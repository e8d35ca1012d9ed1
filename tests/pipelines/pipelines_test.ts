import { assert, assertEquals } from "@std/assert";
import { Effect } from "effect";
import { pipelines } from "../../pipelines/pipelines.ts";
import { runLayers } from "../../pipelines/run/run_layers.ts";
import { unknownTokens } from "../../pipelines/run/unknown_tokens.ts";
import { metricNames } from "../../stages/metrics/metric_names.ts";
import { neededBy } from "./_needed.ts";
import { smallConfig, train } from "./_train.ts";

/** What keeps a method small. */
const few: Readonly<Record<string, readonly string[]>> = { vine_ppo: ["algorithm.vine.rollouts=2"] };

/** As many steps as cost little: one task each. */
const ten = ["trainer.total_steps=10", "rollout.batch_size=1"];
/** A text world and single questions, each with a policy that knows it. */
const worlds: Readonly<Record<string, readonly string[]>> = {
  household: ["trainer.seed=3"],
  countdown: [
    "trainer.seed=3",
    "task.environment=countdown",
    "task.level=0",
    "policy.path=fixtures/policies/countdown",
    "rollout.max_tokens=12",
  ],
};

/** Everything that `run` writes to the console, where warnings go. */
async function saidBy<A>(
  run: () => Promise<A>,
): Promise<{ readonly result: A; readonly said: readonly string[] }> {
  const said: string[] = [];
  const methods = ["log", "warn", "error", "info"] as const;
  const before = methods.map((method) => console[method]);
  methods.forEach((method) => console[method] = (...parts: unknown[]) => void said.push(parts.join(" ")));
  try {
    return { result: await run(), said };
  } finally {
    methods.forEach((method, i) => console[method] = before[i]);
  }
}

for (const [world, overrides] of Object.entries(worlds)) {
  Deno.test(`${world}: the policy knows the words of its tasks`, async () => {
    const config = smallConfig(...overrides);
    const layers = runLayers(config, config.policy.path);
    assertEquals(await Effect.runPromise(unknownTokens(config).pipe(Effect.provide(layers))), undefined);
  });

  for (const name of Object.keys(pipelines)) {
    Deno.test(`${name} trains ten steps on ${world} without a warning`, async () => {
      const needed = await neededBy(name, ...overrides);
      const config = smallConfig(
        `algorithm.name=${name}`,
        ...ten,
        ...overrides,
        ...needed,
        ...(few[name] ?? []),
      );
      const { result, said } = await saidBy(() => train(config));
      const { reports, backwardTokens } = result;
      assertEquals(said, []);
      assertEquals(reports.map(({ step }) => step), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
      const cursors = reports.map(({ cursor }) => cursor);
      assert(cursors.every((cursor, i) => cursor > (cursors[i - 1] ?? 0)), cursors.join());
      // Which groups differ in success depends on the policy that ships.
      const isEmpty = reports.map(({ metrics }) => metrics[metricNames.emptyBatch] === 1);
      assertEquals(backwardTokens > 0, isEmpty.includes(false));
      for (const { metrics } of reports) {
        if (metrics[metricNames.emptyBatch] === 1) continue;
        assert(
          Number.isFinite(metrics[metricNames.gradNorm]) && Number.isFinite(metrics[metricNames.policyLoss]),
        );
      }
    });
  }
}
