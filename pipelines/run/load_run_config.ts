import { Result } from "effect";
import { benchmarks } from "../../stages/config/benchmarks.ts";
import { type ConfigInput, loadConfig } from "../../stages/config/load_config.ts";
import type { RunConfig } from "../../stages/config/run_config.ts";
import type { ConfigError } from "../../stages/errors.ts";
import { pipelines } from "../pipelines.ts";

/**
 * Reads a configuration with the algorithms that are registered: keys that it does not
 * set take the defaults of its `algorithm.name`, and keys that this algorithm does not
 * read are faults, as is whatever is wrong with its benchmarks. The result states what runs.
 */
export function loadRunConfig(input: ConfigInput): Result.Result<RunConfig, ConfigError> {
  return Result.flatMap(
    loadConfig({ algorithms: pipelines, ...input }),
    (config) => Result.map(benchmarks(config), () => config),
  );
}
