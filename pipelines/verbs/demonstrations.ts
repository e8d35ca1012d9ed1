/**
 * `deno task demonstrations`: writes an environment's own solutions as conversations.
 *
 * @module
 */
import { Effect } from "effect";
import { exists } from "../../stages/engine/read_safetensors.ts";
import { ConfigError } from "../../stages/errors.ts";
import { readConfig } from "../command/read_config.ts";
import { requireData } from "../command/require_files.ts";
import { requireOutput } from "../run_folder/require_output.ts";
import { runVerb } from "../command/run_verb.ts";
import type { Verb } from "../command/verb.ts";
import { curriculumFaults } from "../demonstrations/curriculum_faults.ts";
import { writeDemonstrations } from "../demonstrations/write_demonstrations.ts";
import { environmentOf } from "../run/environment_of.ts";
import { makeProgress } from "../terminal/progress.ts";
import { table } from "../terminal/table.ts";

const verb: Verb = {
  name: "demonstrations",
  summary: "Writes an environment's own solutions of training tasks as conversations, or with " +
    "demonstrations.curriculum attempts with reports and guided retries, for algorithm.name=sft " +
    "algorithm.offline=<file>: a warm start for a policy that never succeeds.",
  usage: "[config.yaml] [section.key=value ...]",
  details: ["Tasks whose solution is not known are counted and left out."],
  sections: ["demonstrations", "task", "data", "rollout", "trainer", "log"],
  also: ["algorithm.reflect_prompt"],
};

if (import.meta.main) {
  await runVerb(verb, (args) =>
    Effect.gen(function* () {
      const config = yield* readConfig(args);
      yield* requireData(config);
      const faults = config.demonstrations.curriculum === null ? [] : curriculumFaults(config);
      if (faults.length > 0) yield* Effect.fail(new ConfigError({ source: "demonstrations", faults }));
      const { out } = config.demonstrations;
      yield* requireOutput("demonstrations.out", out, "file");
      // A run may be training on it.
      if (yield* exists(out)) {
        const message = `${out} is there already; remove it or name another file`;
        yield* Effect.fail(
          new ConfigError({ source: "output", faults: [{ path: "demonstrations.out", message }] }),
        );
      }
      const progress = makeProgress(config.log.progress, 1);
      const { written, replies, unsolved } = yield* writeDemonstrations(config, progress).pipe(
        Effect.provide(environmentOf(config)),
        Effect.ensuring(Effect.sync(progress.end)),
      );
      console.log(table([
        ["demonstrations", ""],
        ["conversations", String(written)],
        ["replies to be learned", String(replies)],
        ...Object.entries(unsolved).map(([reason, count]) => [`left out: ${reason}`, String(count)]),
      ]));
      console.log(`\nWritten: ${config.demonstrations.out}`);
    }));
}
