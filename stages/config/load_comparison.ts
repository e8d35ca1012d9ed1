import { Result, Schema } from "effect";
import { ConfigError } from "../errors.ts";
import { decodingFaults, explainFault } from "./_decoding_faults.ts";
import { readTree } from "./_read_tree.ts";
import { type Tree, withValueAt } from "./_tree.ts";
import { ComparisonConfig, comparisonName } from "./comparison_config.ts";
import { configKeys } from "./config_keys.ts";
import type { ConfigFault } from "./consistency_faults.ts";
import type { ConfigInput } from "./load_config.ts";
import { parseOverride } from "./parse_override.ts";
import { suggestName } from "./suggest_name.ts";

/**
 * Reads and checks a comparison's own keys; what its runs set is checked when each run's
 * configuration is made. The failure lists every fault with its path.
 */
export function loadComparison(
  { source, yaml = "", overrides = [] }: Omit<ConfigInput, "algorithms">,
): Result.Result<ComparisonConfig, ConfigError> {
  const fail = (faults: readonly ConfigFault[]) => Result.fail(new ConfigError({ source, faults }));
  const parsed = readTree(yaml);
  if (typeof parsed === "string") return fail([{ path: "(file)", message: parsed }]);
  const faults: ConfigFault[] = [];
  let tree = withoutNull(parsed);
  for (const text of overrides) {
    const override = parseOverride(text);
    if (typeof override === "string") faults.push({ path: text, message: override });
    else tree = withValueAt(tree, override.path, override.value);
  }
  const known = configKeys(ComparisonConfig).map(({ path }) => path);
  faults.push(
    ...decodingFaults(ComparisonConfig, tree).flatMap((fault) => explainFault(tree, fault, known)),
  );
  if (faults.length > 0) return fail(faults);
  const config = Schema.decodeUnknownSync(ComparisonConfig)(tree);
  faults.push(...contradictions(config));
  return faults.length > 0 ? fail(faults) : Result.succeed(config);
}

/** `r3l:` without settings is an entry that sets nothing. */
function withoutNull(tree: Tree): Tree {
  const filled = Object.entries(tree).map(([name, value]) => {
    const inner = (name === "entries" || name === "starts") && typeof value === "object" && value !== null;
    return [
      name,
      inner
        ? Object.fromEntries(Object.entries(value).map(([key, below]) => [key, below ?? {}]))
        : value ?? {},
    ];
  });
  return Object.fromEntries(filled);
}

function contradictions(config: ComparisonConfig): readonly ConfigFault[] {
  const faults: ConfigFault[] = [];
  const entries = Object.keys(config.entries);
  if (entries.length === 0) faults.push({ path: "entries", message: "at least one is needed, got none" });
  if (Object.keys(config.starts).length === 0) {
    faults.push({ path: "starts", message: "at least one is needed, got none" });
  }
  for (const section of ["starts", "entries"] as const) {
    for (const name of Object.keys(config[section]).filter((name) => !comparisonName.test(name))) {
      const message = "a name takes letters, digits and _ . + -, with a letter or digit first; got " +
        JSON.stringify(name);
      faults.push({ path: section, message });
    }
  }
  const { reference } = config;
  if (reference !== null && entries.length > 0 && !entries.includes(reference)) {
    const message = `${suggestName("entry", reference, entries)}, got ${JSON.stringify(reference)}`;
    faults.push({ path: "reference", message });
  }
  const lists = {
    seeds: config.seeds,
    "search.seeds": config.search.seeds,
    "search.rates": config.search.rates,
  };
  for (const [path, list] of Object.entries(lists)) {
    const twice = list.find((value, i) => list.indexOf(value) !== i);
    if (twice !== undefined) faults.push({ path, message: `each may be named once, got ${twice} twice` });
  }
  const both = config.search.rates.length > 1
    ? config.search.seeds.filter((seed) => config.seeds.includes(seed))
    : [];
  if (both.length > 0) {
    faults.push({
      path: "search.seeds",
      message: `must not be in seeds: rates are chosen on seeds of their own, got ${both.join(", ")}`,
    });
  }
  return faults;
}
