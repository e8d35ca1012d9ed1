/**
 * `deno task negatives`: gathers golden negative trajectories.
 *
 * @module
 */
import { Effect } from "effect";
import { readConfig } from "../command/read_config.ts";
import { requireData } from "../command/require_files.ts";
import { requireOutput } from "../run_folder/require_output.ts";
import { requirePolicy } from "../command/require_policy.ts";
import { runVerb } from "../command/run_verb.ts";
import type { Verb } from "../command/verb.ts";
import { buildNegatives, negativesPath } from "../negatives/build_negatives.ts";
import type { Gathered } from "../negatives/gather_negatives.ts";

const verb: Verb = {
  name: "negatives",
  summary: "Gathers golden negative trajectories, failed attempts at training tasks, for the algorithms " +
    "reflect_rl and reflect_rl_opd.",
  usage: "[config.yaml] [section.key=value ...]",
  details: [
    "policy.path is the model that fails, best a stronger one than is trained. Give the task, data, " +
    "trainer.seed, rollout.max_tokens and algorithm.reflective of the training run. The same command " +
    "continues an interrupted build.",
  ],
  sections: ["negatives", "task", "data", "policy", "rollout", "engine"],
};

if (import.meta.main) {
  await runVerb(verb, (args) =>
    Effect.gen(function* () {
      const config = yield* readConfig(args);
      yield* requirePolicy(config);
      yield* requireData(config);
      yield* requireOutput("negatives.out", negativesPath(config), "file");
      const batches = yield* buildNegatives(config, (done, total) => console.log(`${done}/${total} tasks`));
      console.log(summaryOf(batches, config.negatives.fit));
      console.log(`Written: ${negativesPath(config)}`);
    }));
}

function summaryOf(batches: readonly Gathered[], fit: string): string {
  const sum = (of: (batch: Gathered) => number) => batches.reduce((total, batch) => total + of(batch), 0);
  const played = `${sum((b) => b.attempts)} attempts, ${sum((b) => b.failures)} failed, ` +
    `${sum((b) => b.usable)} of them whole and judged,`;
  const kept = `${sum((b) => b.tooLong)} too long with negatives.fit ${fit}, ${
    sum((b) => b.rows.length)
  } kept`;
  return `${played}\n${kept}`;
}
