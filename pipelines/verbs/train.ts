/**
 * `deno task train`: trains a policy.
 *
 * @module
 */
import { Effect, Layer } from "effect";
import { FileError } from "../../stages/errors.ts";
import { readConfig } from "../command/read_config.ts";
import { requireFiles } from "../command/require_files.ts";
import { requirePolicy } from "../command/require_policy.ts";
import { runVerb } from "../command/run_verb.ts";
import type { Verb } from "../command/verb.ts";
import { makeProgress } from "../terminal/progress.ts";
import { readRun } from "../report/read_run.ts";
import { summary } from "../report/summary.ts";
import { writeReport } from "../report/write_report.ts";
import { findRunStart, openRunFolder, type RunFolder } from "../run_folder/run_folder.ts";
import { isComplete } from "../run_folder/is_complete.ts";
import { runLayers } from "../run/run_layers.ts";
import { trainLoop } from "../run/train_loop.ts";

const verb: Verb = {
  name: "train",
  summary: "Trains a policy and writes its run folder: config.yaml (resolved), metrics.jsonl, " +
    "attempts.jsonl, checkpoints/step_N/ and report.html.",
  usage: "[config.yaml] [section.key=value ...]",
  details: [
    "Without arguments it trains the shipped policy. The same command continues an interrupted run " +
    "from its last checkpoint; trainer.resume=never refuses to.",
  ],
  sections: ["task", "data", "remote", "policy", "rollout", "algorithm", "optim", "trainer", "engine", "log"],
};

if (import.meta.main) {
  await runVerb(verb, (args) =>
    Effect.scoped(Effect.gen(function* () {
      const config = yield* readConfig(args);
      yield* requirePolicy(config);
      yield* requireFiles(config);
      const start = yield* findRunStart(config);
      // What is read may be found wanting: before that, no folder is made.
      const services = isComplete(config, start)
        ? undefined
        : yield* Layer.build(runLayers(config, start.checkpoint ?? config.policy.path));
      const run = yield* openRunFolder(config);
      if (run.start.checkpoint !== start.checkpoint) {
        const reason = "another process trained here meanwhile; the same command continues";
        return yield* Effect.fail(new FileError({ path: run.path, reason }));
      }
      const progress = makeProgress(config.log.progress, config.trainer.total_steps, {
        firstStep: run.start.step,
      });
      run.warnings.forEach((warning) => progress.note(`Warning: ${warning}`));
      if (services !== undefined) {
        yield* trainLoop(config, run, progress, Layer.succeedContext(services)).pipe(
          Effect.ensuring(Effect.sync(progress.end)),
          Effect.onInterrupt(() => Effect.sync(() => console.error(`Stopped. ${whatIsSaved(run)}`))),
          Effect.mapError((error) => new Error(`${error.message}\n${whatIsSaved(run)}`)),
        );
      } else {
        progress.note(
          `${run.path} is complete (${run.start.step} steps); a larger trainer.total_steps` +
            `${config.trainer.total_tokens === null ? "" : " or total_tokens"} continues it.`,
        );
      }
      yield* writeReport(run.path).pipe(
        Effect.onInterrupt(() => Effect.sync(() => console.error(`Stopped. ${whatIsSaved(run)}`))),
      );
      console.log("\n" + summary(yield* readRun(run.path)));
      console.log(`\nReport: ${run.reportPath}`);
    })));
}

function whatIsSaved(run: RunFolder): string {
  const saved = run.lastCheckpoint();
  return saved === null
    ? `No checkpoint was saved yet; the same command starts over in ${run.path}.`
    : `Saved: ${saved}. The same command continues from there.`;
}
