import { assert, assertEquals } from "@std/assert";
import { pipelines } from "../../pipelines/pipelines.ts";
import { metricNames } from "../../stages/metrics/metric_names.ts";
import { neededBy } from "./_needed.ts";
import { smallConfig, train } from "./_train.ts";

/** What keeps a method small. */
const few: Readonly<Record<string, readonly string[]>> = { vine_ppo: ["algorithm.vine.rollouts=2"] };

for (const name of Object.keys(pipelines)) {
  Deno.test(`${name} trains two steps`, async () => {
    const needed = await neededBy(name, "trainer.seed=3");
    const config = smallConfig(`algorithm.name=${name}`, "trainer.seed=3", ...needed, ...(few[name] ?? []));
    const { reports, backwardTokens } = await train(config);
    assertEquals(reports.map(({ step }) => step), [1, 2]);
    const cursors = reports.map(({ cursor }) => cursor);
    assert(cursors[0] >= 2 && cursors[1] >= cursors[0] + 2, cursors.join());
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
