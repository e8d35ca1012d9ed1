/**
 * `deno task eval`: measures a policy.
 *
 * @module
 */
import { Effect } from "effect";
import { readConfig } from "./command/read_config.ts";
import { requireFiles } from "./command/require_files.ts";
import { requirePolicy } from "./command/require_policy.ts";
import { runVerb } from "./command/run_verb.ts";
import type { Verb } from "./command/verb.ts";
import { evalLoop } from "./eval_loop.ts";
import { evalTable } from "./eval_table.ts";
import { makeProgress } from "./progress.ts";

const verb: Verb = {
  name: "eval",
  summary: "Measures a policy on held-out games: success in one attempt at each temperature, and how " +
    "much a retry gains from guidance.",
  usage: "[config.yaml] [section.key=value ...]",
  details: [
    "Of a run, measure a checkpoint: policy.path=runs/<run>/checkpoints/step_<N>. eval.guidance says " +
    "whose advice a retry gets: its own report (own), an expert's (oracle), nothing (none) or that of " +
    "another game (shuffled).",
  ],
  sections: ["task", "data", "policy", "rollout", "engine", "log", "eval"],
};

if (import.meta.main) {
  await runVerb(verb, (args) =>
    Effect.gen(function* () {
      const config = yield* readConfig(args);
      yield* requirePolicy(config);
      yield* requireFiles(config);
      const progress = makeProgress(config.log.progress, 1);
      const report = yield* evalLoop(config, progress).pipe(Effect.ensuring(Effect.sync(progress.end)));
      console.log(evalTable(report));
    }));
}
