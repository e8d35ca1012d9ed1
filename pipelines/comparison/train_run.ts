import { Effect } from "effect";
import type { Progress } from "../terminal/progress.ts";
import { readMetrics } from "../report/read_run.ts";
import { sha256 } from "../run_folder/checkpoint.ts";
import { isComplete } from "../run_folder/is_complete.ts";
import { openRunFolder } from "../run_folder/run_folder.ts";
import { tryFile } from "../run_folder/try_file.ts";
import { writeAtomic } from "../run_folder/write_atomic.ts";
import { trainLoop } from "../run/train_loop.ts";
import type { RunSpec } from "./comparison.ts";
import { runResult } from "./run_result.ts";

/** Trains one run from where its folder stands and stores its result there. */
export const trainRun = Effect.fnUntraced(function* (spec: RunSpec, progress: Progress) {
  const run = yield* openRunFolder(spec.config);
  if (!isComplete(spec.config, run.start)) yield* trainLoop(spec.config, run, progress);
  const config = `${run.path}/config.yaml`;
  const hash = sha256(yield* tryFile(config, () => Deno.readTextFileSync(config)));
  const result = runResult(spec, yield* readMetrics(run.path), hash);
  const path = `${run.path}/result.json`;
  yield* tryFile(path, () => writeAtomic(path, JSON.stringify(result, null, 1) + "\n"));
  return result;
}, Effect.scoped);
