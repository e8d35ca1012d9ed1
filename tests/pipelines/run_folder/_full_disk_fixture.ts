/** Writes metrics into the run folder `Deno.args[0]`, whose metrics.jsonl lies on a full disk (/dev/full). */
import { Effect, Result } from "effect";
import { openRunFolder } from "../../../pipelines/run_folder/run_folder.ts";
import { loadConfig } from "../../../stages/config/load_config.ts";

const [folder] = Deno.args;
const config = Result.getOrThrow(loadConfig({ source: "test", overrides: [`trainer.run_dir=${folder}`] }));
await Effect.runPromise(Effect.scoped(Effect.gen(function* () {
  const run = yield* openRunFolder(config);
  Deno.symlinkSync("/dev/full", `${folder}/metrics.jsonl`);
  const error = yield* Effect.flip(run.writeMetrics(1, {}));
  console.log(error._tag, error.message);
})));
