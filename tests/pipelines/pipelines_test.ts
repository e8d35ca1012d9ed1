import { assert, assertEquals } from "@std/assert";
import { pipelines } from "../../pipelines/pipelines.ts";
import { metricNames } from "../../stages/metrics/metric_names.ts";
import { smallConfig, train } from "./_train.ts";

for (const name of Object.keys(pipelines)) {
  Deno.test(`${name} trains two steps`, async () => {
    const { reports, backwardTokens } = await train(smallConfig(`algorithm.name=${name}`, "trainer.seed=3"));
    assertEquals(reports.map(({ step }) => step), [1, 2]);
    const cursors = reports.map(({ cursor }) => cursor);
    assert(cursors[0] >= 2 && cursors[1] >= cursors[0] + 2, cursors.join());
    assert(backwardTokens > 0);
    for (const { metrics } of reports) {
      if (metrics[metricNames.emptyBatch] === 1) continue;
      assert(metrics[metricNames.gradNorm] > 0 && Number.isFinite(metrics[metricNames.policyLoss]));
    }
  });
}
