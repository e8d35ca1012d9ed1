import { assert } from "@std/assert";
import { Result, Schema } from "effect";
import { RunResult } from "../../../pipelines/comparison/run_result.ts";
import { resultOf } from "./_results.ts";

Deno.test("a result holds counts, times and shares, or is none", () => {
  const isResult = (value: unknown) => Result.isSuccess(Schema.decodeUnknownResult(RunResult)(value));
  const result = resultOf({ start: "a", entry: "grpo", seed: 1 }, { last: 0.5 });
  assert(isResult(result));
  const [first, last] = result.curve;
  for (
    const change of [
      { tokens: -5 },
      { seconds: -1 },
      { steps: -1 },
      { steps: 1.5 },
      { processorSeconds: -1 },
      { curve: [] },
      { curve: [first, { ...last, success: 7 }] },
      { curve: [first, { ...last, success: -0.1 }] },
      { curve: [first, { ...last, tokens: NaN }] },
    ]
  ) assert(!isResult({ ...result, ...change }), JSON.stringify(change));
});
