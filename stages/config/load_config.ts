import { Result, Schema, SchemaIssue } from "effect";
import { ConfigError } from "../errors.ts";
import { isTree, leafPaths, type Tree, valueAt, withoutKeyAt, withValueAt } from "./_tree.ts";
import { configKeys } from "./config_keys.ts";
import { type AlgorithmSettings, applyAlgorithm } from "./algorithm_settings.ts";
import { type ConfigFault, consistencyFaults } from "./consistency_faults.ts";
import { parseYaml } from "./_parse_yaml.ts";
import { parseOverride } from "./parse_override.ts";
import { resolveConfig } from "./resolve_config.ts";
import { RunConfig } from "./run_config.ts";
import { suggestKey } from "./suggest_key.ts";

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

/** Longest YAML text that is read, in characters. */
const LONGEST = 1 << 20;

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

  const schemaFaults = decodingFaults(tree);
  const known = schemaFaults.length === 0 ? [] : configKeys().map((key) => key.path);
  faults.push(...schemaFaults.flatMap((fault) => explain(tree, fault, known)));
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

/** The mapping in `yaml`, or what is wrong with it. */
function readTree(yaml: string): Tree | string {
  if (yaml.length > LONGEST) return `longer than ${LONGEST} characters: this is no configuration`;
  const parsed = parseYaml(yaml);
  if (typeof parsed === "string") return parsed;
  const { value } = parsed;
  if (value === null || value === undefined) return {};
  return isTree(value)
    ? value
    : `expected sections (task, policy, ...), got ${JSON.stringify(value).slice(0, 60)}`;
}

interface DecodingFault {
  readonly path: readonly string[];
  readonly message: string;
}

const formatIssue = SchemaIssue.makeFormatterStandardSchemaV1();

function decodingFaults(tree: Tree): readonly DecodingFault[] {
  const decoded = Schema.decodeUnknownResult(RunConfig, { errors: "all", onExcessProperty: "error" })(tree);
  if (Result.isSuccess(decoded)) return [];
  const first = new Map<string, DecodingFault>();
  for (const issue of formatIssue(decoded.failure.issue).issues) {
    const path = (issue.path ?? []).map(String);
    const name = path.join(".");
    if (!first.has(name)) first.set(name, { path, message: issue.message });
  }
  return [...first.values()];
}

/** Unknown keys are explained leaf by leaf; values show what was got. */
function explain(
  tree: Tree,
  { path, message }: DecodingFault,
  known: readonly string[],
): readonly ConfigFault[] {
  const value = valueAt(tree, path);
  if (message === "Expected no excess property") {
    return leafPaths(value, path).map((leaf) => ({
      path: leaf.join("."),
      message: suggestKey(leaf.join("."), known),
    }));
  }
  const got = typeof value === "number" ? String(value) : JSON.stringify(value) ?? "nothing";
  return [{
    path: path.join("."),
    message: `${message[0].toLowerCase()}${message.slice(1)}, got ${
      got.length > 60 ? got.slice(0, 57) + "..." : got
    }`,
  }];
}
