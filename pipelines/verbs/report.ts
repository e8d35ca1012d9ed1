/**
 * `deno task report`: builds report.html of a run folder.
 *
 * @module
 */
import { Effect } from "effect";
import { ConfigError } from "../../stages/errors.ts";
import { runVerb } from "../command/run_verb.ts";
import type { Verb } from "../command/verb.ts";
import { readRun } from "../report/read_run.ts";
import { summary } from "../report/summary.ts";
import { writeReport } from "../report/write_report.ts";

const verb: Verb = {
  name: "report",
  summary: "Builds report.html of a run folder, also of one whose run is still going on or has failed.",
  usage: "<run folder>",
  sections: [],
};

if (import.meta.main) {
  await runVerb(verb, ({ file, overrides }) =>
    Effect.gen(function* () {
      if (file === undefined || overrides.length > 0) {
        return yield* new ConfigError({
          source: "command line",
          faults: [{
            path: "<run folder>",
            message: "expected exactly one run folder, e.g. runs/r3l-household-seed1",
          }],
        });
      }
      const folder = file.replace(/\/+$/, "");
      const path = yield* writeReport(folder);
      console.log(summary(yield* readRun(folder)));
      console.log(`\nReport: ${path}`);
    }));
}
