import { Effect } from "effect";

import type { RunConfig } from "../../stages/config/run_config.ts";
import { ConfigError } from "../../stages/errors.ts";
import { loadRunConfig } from "../run/load_run_config.ts";
import { tryFile } from "../run_folder/try_file.ts";
import type { Arguments } from "./read_arguments.ts";

/** The resolved configuration that a command line asks for; every fault, a missing file too, is a ConfigError. */
export function readConfig({ file, overrides }: Arguments): Effect.Effect<RunConfig, ConfigError> {
  return Effect.gen(function* () {
    if (file === undefined) {
      return yield* Effect.fromResult(loadRunConfig({ source: "command line", overrides }));
    }
    const yaml = yield* tryFile(file, () => Deno.readTextFileSync(file)).pipe(
      Effect.mapError(({ reason }) =>
        new ConfigError({ source: "command line", faults: [{ path: file, message: reason }] })
      ),
    );
    return yield* Effect.fromResult(loadRunConfig({ source: file, yaml, overrides }));
  });
}
