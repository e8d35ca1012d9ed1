/**
 * `deno task compare`: methods × seeds at an equal budget of generated tokens.
 *
 * @module
 */
import { Effect } from "effect";
import { ComparisonConfig } from "../../stages/config/comparison_config.ts";
import { configKeys } from "../../stages/config/config_keys.ts";
import { ConfigError } from "../../stages/errors.ts";
import type { Arguments } from "../command/read_arguments.ts";
import { requireOutput } from "../run_folder/require_output.ts";
import { requireFiles } from "../command/require_files.ts";
import { requirePolicy } from "../command/require_policy.ts";
import { runVerb } from "../command/run_verb.ts";
import type { Verb } from "../command/verb.ts";
import { type Comparison, makeComparison } from "../comparison/comparison.ts";
import { runComparison } from "../comparison/run_comparison.ts";
import { makeProgress } from "../terminal/progress.ts";
import { tryFile } from "../run_folder/try_file.ts";

/** What is compared without an argument. */
const SHIPPED = "pipelines/configs/compare_household.yaml";

const verb: Verb = {
  name: "compare",
  summary: "Trains methods on several seeds until each has generated the same number of tokens, and writes " +
    "compare.json, compare.md and compare.html into the comparison's folder.",
  usage: "[comparison.yaml] [key=value ...]",
  details: [
    `Without a file it compares as ${SHIPPED} says. The same command continues an interrupted ` +
    "comparison; finished runs are kept.",
  ],
  sections: [],
  keys: configKeys(ComparisonConfig),
};

const readComparison = Effect.fnUntraced(function* ({ file = SHIPPED, overrides }: Arguments) {
  const yaml = yield* tryFile(file, () => Deno.readTextFileSync(file)).pipe(
    Effect.mapError(({ reason }) =>
      new ConfigError({ source: "command line", faults: [{ path: file, message: reason }] })
    ),
  );
  const comparison: Comparison = yield* Effect.fromResult(makeComparison({ source: file, yaml, overrides }));
  // Seeds and rates read the same files.
  const pairs = new Map(
    comparison.runs(() => 1).map((spec) => [`${spec.start}, ${spec.entry}`, spec.config]),
  );
  const policies = new Set<string>();
  for (const [pair, config] of pairs) {
    const { path } = config.policy;
    const policy = policies.has(path) ? Effect.void : requirePolicy(config);
    policies.add(path);
    yield* Effect.andThen(policy, requireFiles(config)).pipe(
      Effect.mapError(({ source, faults }) =>
        new ConfigError({
          source,
          faults: faults.map(({ path, message }) => ({ path: `${pair}: ${path}`, message })),
        })
      ),
    );
  }
  yield* requireOutput("folder", comparison.settings.folder, "folder");
  return comparison;
});

if (import.meta.main) {
  await runVerb(verb, (args) =>
    Effect.scoped(Effect.gen(function* () {
      const comparison = yield* readComparison(args);
      const progress = makeProgress("auto", 1);
      const { text, page, failures } = yield* runComparison(comparison, progress).pipe(
        Effect.ensuring(Effect.sync(progress.end)),
        Effect.onInterrupt(() =>
          Effect.sync(() => console.error("Stopped. The same command continues from there."))
        ),
      );
      console.log(`\n${text}\n\nResults: ${page}`);
      if (failures.length > 0) {
        return yield* Effect.fail(new Error([`${failures.length} run(s) failed:`, ...failures].join("\n")));
      }
    })));
}
