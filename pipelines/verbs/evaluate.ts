/**
 * `deno task eval`: measures a policy.
 *
 * @module
 */
import { Effect } from "effect";
import { benchmarks } from "../../stages/config/benchmarks.ts";
import { readConfig } from "../command/read_config.ts";
import { requireData } from "../command/require_files.ts";
import { requireOutput } from "../run_folder/require_output.ts";
import { requirePolicy } from "../command/require_policy.ts";
import { runVerb } from "../command/run_verb.ts";
import type { Verb } from "../command/verb.ts";
import { evalLoop } from "../evaluation/eval_loop.ts";
import { evalFaults } from "../evaluation/eval_faults.ts";
import { evalTable } from "../evaluation/eval_table.ts";
import { makeProgress } from "../terminal/progress.ts";

const verb: Verb = {
  name: "eval",
  summary: "Measures a policy on held-out tasks: success of independent attempts at each temperature, and " +
    "how much a second attempt gains from a reflection on the first.",
  usage: "[config.yaml] [section.key=value ...]",
  details: [
    "Of a run, measure a checkpoint: policy.path=runs/<run>/checkpoints/step_<N>. eval.guidance says " +
    "whose advice a second attempt gets: its own report (own), an expert's (oracle), nothing (none) or " +
    "that of another game (shuffled).",
    "eval.benchmarks lists several things to measure; eval.baseline is a second policy to compare with. " +
    "It fails if more attempts than eval.max_unchecked got no verdict or if success on a benchmark fell " +
    "by more than eval.forget_margin.",
  ],
  sections: ["task", "data", "remote", "policy", "rollout", "engine", "log", "eval"],
};

if (import.meta.main) {
  await runVerb(verb, (args) =>
    Effect.gen(function* () {
      const config = yield* readConfig(args);
      yield* requirePolicy(config);
      const measured = yield* Effect.fromResult(benchmarks(config));
      for (const [i, { config: one }] of measured.entries()) {
        yield* requireData(one, config.eval.benchmarks.length > 0 ? `eval.benchmarks[${i}].` : "");
      }
      if (config.eval.baseline !== null) yield* requirePolicy(config, "eval.baseline", config.eval.baseline);
      const { out_dir: folder } = config.eval;
      if (folder !== null) yield* requireOutput("eval.out_dir", folder, "folder");
      const progress = makeProgress(config.log.progress, 1);
      const report = yield* evalLoop(config, progress).pipe(Effect.ensuring(Effect.sync(progress.end)));
      console.log(evalTable(report));
      if (folder !== null) console.log(`\nWritten: ${folder} (deno task report ${folder})`);
      const faults = evalFaults(report);
      if (faults.length > 0) return yield* Effect.fail(new Error(faults.join("\n")));
    }));
}
