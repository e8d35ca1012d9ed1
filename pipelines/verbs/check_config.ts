/**
 * `deno task check-config`: the resolved configuration, or every fault of it.
 *
 * @module
 */
import { stringify } from "@std/yaml";
import { Effect } from "effect";
import { readConfig } from "../command/read_config.ts";
import { requireFiles } from "../command/require_files.ts";
import { requirePolicy } from "../command/require_policy.ts";
import { runVerb } from "../command/run_verb.ts";
import { allSections, type Verb } from "../command/verb.ts";

const verb: Verb = {
  name: "check-config",
  summary: "Prints the resolved configuration as YAML, or every fault of it.",
  usage: "[config.yaml] [section.key=value ...]",
  sections: allSections,
};

if (import.meta.main) {
  await runVerb(verb, (args) =>
    Effect.gen(function* () {
      const config = yield* readConfig(args);
      yield* requirePolicy(config);
      yield* requireFiles(config);
      console.log(stringify(config).trimEnd());
    }));
}
