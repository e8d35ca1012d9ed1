import { Result, Schema } from "effect";
import { ConfigError } from "../errors.ts";
import { decodingFaults, explainFault } from "./_decoding_faults.ts";
import { readTree } from "./_read_tree.ts";
import { withoutKeyAt, withValueAt } from "./_tree.ts";
import { configKeys } from "./config_keys.ts";
import { type AlgorithmSettings, applyAlgorithm } from "./algorithm_settings.ts";
import { type ConfigFault, consistencyFaults } from "./consistency_faults.ts";
import { parseOverride } from "./parse_override.ts";
import { resolveConfig } from "./resolve_config.ts";
import { RunConfig } from "./run_config.ts";

/** What a configuration is made of. */
export interface ConfigInput {
  /** Where `yaml` came from, for messages. */
  readonly source: string;
  /** A YAML mapping of sections; absent = all defaults. */
  readonly yaml?: string;
  /** `section.key=value`, applied in order on top. */
  readonly overrides?: readonly string[];
  /** The algorithms there are, with their own defaults; absent = any name, and the schema's defaults. */
  readonly algorithms?: Readonly<Record<string, AlgorithmSettings>>;
}

/**
 * Reads, checks and resolves a configuration. The failure lists every fault at
 * once, each with its path: unknown keys with the nearest known one, spellings
 * of other trainers with a pointer, wrong types, values out of range, and keys
 * that contradict each other. YAML that cannot be parsed is one fault with its line.
 *
 * @example
 * ```ts
 * import { Result } from "effect";
 * import { loadConfig } from "./load_config.ts";
 * const result = loadConfig({ source: "command line", overrides: ["rollout.n=4"] });
 * if (Result.isSuccess(result)) console.log(result.success.rollout.n);
 * ```
 */
export function loadConfig(input: ConfigInput): Result.Result<RunConfig, ConfigError> {
  const faults: ConfigFault[] = [];
  const parsed = readTree(input.yaml ?? "");
  if (typeof parsed === "string") {
    return Result.fail(
      new ConfigError({ source: input.source, faults: [{ path: "(file)", message: parsed }] }),
    );
  }
  let tree = parsed;
  for (const text of input.overrides ?? []) {
    const override = parseOverride(text);
    if (typeof override === "string") faults.push({ path: text, message: override });
    else tree = withValueAt(tree, override.path, override.value);
  }
  tree = Object.fromEntries(Object.entries(tree).map(([name, value]) => [name, value ?? {}]));
  if (input.algorithms !== undefined) {
    const applied = applyAlgorithm(tree, input.algorithms);
    tree = applied.tree;
    faults.push(...applied.faults);
  }

  const schemaFaults = decodingFaults(RunConfig, tree);
  const known = schemaFaults.length === 0 ? [] : configKeys().map((key) => key.path);
  faults.push(...schemaFaults.flatMap((fault) => explainFault(tree, fault, known)));
  // Faulty keys fall back to their defaults, so that the other keys can still be compared.
  const usable = schemaFaults.reduce((rest, { path }) => withoutKeyAt(rest, path), tree);
  const decoded = Schema.decodeUnknownResult(RunConfig)(usable);
  if (Result.isFailure(decoded)) {
    return Result.fail(new ConfigError({ source: input.source, faults }));
  }
  const faulty = new Set(schemaFaults.map(({ path }) => path.join(".")));
  faults.push(...consistencyFaults(decoded.success, faulty));
  return faults.length > 0
    ? Result.fail(new ConfigError({ source: input.source, faults }))
    : Result.succeed(resolveConfig(decoded.success));
}
