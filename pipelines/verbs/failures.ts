/**
 * `deno task failures`: collects first attempts that failed, to train reflections on.
 *
 * @module
 */
import { Effect, Layer } from "effect";
import { readConfig } from "../command/read_config.ts";
import { requireData } from "../command/require_files.ts";
import { requireOutput } from "../run_folder/require_output.ts";
import { requirePolicy } from "../command/require_policy.ts";
import { runVerb } from "../command/run_verb.ts";
import type { Verb } from "../command/verb.ts";
import { buildFailures } from "../failure_set/build_failures.ts";
import { makeProgress } from "../terminal/progress.ts";
import { environmentOf } from "../run/environment_of.ts";
import { policyLayer } from "../run/run_layers.ts";
import { table } from "../terminal/table.ts";

const verb: Verb = {
  name: "failures",
  summary: "Collects training tasks that the policy fails at, each with a failed attempt, for " +
    "algorithm.name=reflect_retry_reward algorithm.offline=<file>.",
  usage: "[config.yaml] [section.key=value ...]",
  details: [
    "The same command continues after a kill; its file does not depend on batch size or concurrency.",
  ],
  sections: ["failures", "task", "data", "policy", "rollout", "trainer", "engine", "log"],
};

if (import.meta.main) {
  await runVerb(verb, (args) =>
    Effect.gen(function* () {
      const config = yield* readConfig(args);
      yield* requirePolicy(config);
      yield* requireData(config);
      yield* requireOutput("failures.out", config.failures.out, "file");
      const { out, keep, cap } = config.failures;
      const progress = makeProgress(config.log.progress, 1);
      const counts = yield* buildFailures(config, progress).pipe(
        Effect.provide(Layer.mergeAll(policyLayer(config, config.policy.path), environmentOf(config))),
        Effect.onInterrupt(() => Effect.sync(() => console.error("Stopped. The same command continues."))),
        Effect.ensuring(Effect.sync(progress.end)),
      );
      console.log(table([
        [`failures (${keep}, at most ${cap} attempts)`, ""],
        ["tasks tried", String(counts.tasks)],
        ["kept", String(counts.kept)],
        ["left out as questions of other splits", String(counts.contaminated)],
        ["attempts", String(counts.sampled)],
        ["successes among them", String(counts.successes)],
      ]));
      console.log(`\nWritten: ${out}`);
    }));
}
