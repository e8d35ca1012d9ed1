import { assertEquals } from "@std/assert";
import { evalMetric, parseEvalMetric, successSources } from "../../../pipelines/evaluation/eval_metric.ts";

Deno.test("success by kind of task is not taken for success of another benchmark", () => {
  const names = ["household", "a/b"].flatMap((source) => [
    evalMetric(source, "success", 0.4),
    evalMetric(source, "success/look_at_obj_in_light", 1, 4),
  ]);
  assertEquals([...successSources(names)], ["household", "a/b"]);
  assertEquals(parseEvalMetric(evalMetric("a/b", "success", 0.4, 2)), {
    source: "a/b",
    metric: "success",
    temperature: 0.4,
  });
});
