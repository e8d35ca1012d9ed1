/** A verb for the tests of exit codes: what it does is its first argument. */
import { Effect } from "effect";
import { runVerb } from "../../../pipelines/command/run_verb.ts";
import { FileError } from "../../../stages/errors.ts";

const outcomes: Record<string, Effect.Effect<void, FileError>> = {
  succeed: Effect.sync(() => console.log("done")),
  fail: Effect.fail(new FileError({ path: "weights.bin", reason: "the disk is full" })),
  warn: Effect.andThen(
    Effect.logWarning("rows.jsonl: 1 of 2 rows left out"),
    Effect.sync(() => console.log("done")),
  ),
  long: Effect.fail(
    new FileError({
      path: "weights.bin",
      reason: "the disk is full, and nobody knows why; ".repeat(5).trim(),
    }),
  ),
  defect: Effect.sync(() => {
    throw new TypeError("undefined is not a tensor");
  }),
  wait: Effect.sync(() => console.log("waiting")).pipe(
    Effect.andThen(Effect.sleep("1 minute")),
    Effect.onInterrupt(() => Effect.sync(() => console.error("saved: step_4"))),
  ),
  // Its clean-up never ends: only a second Ctrl-C stops it.
  stuck: Effect.sync(() => console.log("waiting")).pipe(
    Effect.andThen(Effect.sleep("1 minute")),
    Effect.onInterrupt(() =>
      Effect.andThen(Effect.sync(() => console.log("cleaning up")), Effect.sleep("1 minute"))
    ),
  ),
};

await runVerb(
  { name: "fixture", summary: "Tests exit codes.", usage: "<outcome>", sections: ["log"] },
  ({ file }) => outcomes[file ?? "succeed"],
);
