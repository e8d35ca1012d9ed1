import { Schema } from "effect";
import { isTree, leafPaths, type Tree, valueAt } from "./_tree.ts";
import type { ConfigFault } from "./consistency_faults.ts";
import { estimatorNeeds, estimatorReads, lossNeeds, lossReads } from "./option_reads.ts";
import { RunConfig } from "./run_config.ts";
import { suggestName } from "./suggest_name.ts";

type Partially<T> = T extends readonly unknown[] | null | number | string | boolean ? T
  : { readonly [K in keyof T]?: Partially<T[K]> };

/** What a configuration takes from the algorithm that `algorithm.name` chooses. */
export interface AlgorithmSettings {
  /** Values of keys that the user does not set, where they differ from the schema's. */
  readonly defaults: Partially<RunConfig>;
  /** Keys of section `algorithm` that it reads, whole subsections by their name. Setting another one is a fault. */
  readonly reads: readonly string[];
  /** More defaults by key of section `algorithm` and the value that it has; they win over `defaults`. */
  readonly variants?: Readonly<Record<string, Readonly<Record<string, Partially<RunConfig>>>>>;
  /** Keys of section `algorithm` without which it cannot run: null is a fault. */
  readonly requires?: readonly string[];
  /** Key of section `algorithm` that names the algorithm it builds on, whose keys and defaults are also its own. */
  readonly base?: string;
}

/** The tree with the chosen algorithm's defaults below what the user set, or what is wrong with that choice. */
export function applyAlgorithm(
  tree: Tree,
  algorithms: Readonly<Record<string, AlgorithmSettings>>,
): { readonly tree: Tree; readonly faults: readonly ConfigFault[] } {
  const name = valueAt(tree, ["algorithm", "name"]) ?? "r3l";
  if (typeof name !== "string") return { tree, faults: [] };
  if (!Object.hasOwn(algorithms, name)) {
    const message = `${suggestName("algorithm", name, Object.keys(algorithms))}, got ${JSON.stringify(name)}`;
    return { tree, faults: [{ path: "algorithm.name", message }] };
  }
  const settings = withBase(tree, name, algorithms);
  if ("path" in settings) return { tree, faults: [settings] };
  const { reads, requires = [] } = settings;
  const below = defaultsOf(settings, tree);
  const whole = merged(below, tree);
  const missing = requires.flatMap((key): ConfigFault[] => {
    const given = valueAt(whole, ["algorithm", ...key.split(".")]) ?? null;
    return given === null
      ? [{ path: `algorithm.${key}`, message: `algorithm ${name} needs it, got null` }]
      : [];
  });
  const fallback = merged(schemaDefaults(), below);
  const unread = unreadFaults(tree, fallback, (key) => unreadBy(key, name, reads, merged(fallback, tree)));
  return { tree: whole, faults: [...unread, ...missing] };
}

/** The algorithm's settings on top of its base's, or what is wrong with the base. */
function withBase(
  tree: Tree,
  name: string,
  algorithms: Readonly<Record<string, AlgorithmSettings>>,
): AlgorithmSettings | ConfigFault {
  const own = algorithms[name];
  if (own.base === undefined) return own;
  const path = ["algorithm", own.base];
  const chosen = valueAt(tree, path) ?? valueAt(schemaDefaults(), path);
  const possible = Object.keys(algorithms).filter((key) => algorithms[key].requires === undefined);
  if (typeof chosen !== "string" || !possible.includes(chosen)) {
    const known = typeof chosen === "string" ? suggestName("algorithm", chosen, possible) : "expected a name";
    return { path: path.join("."), message: `${known}, got ${JSON.stringify(chosen)}` };
  }
  const base = algorithms[chosen];
  return {
    ...own,
    defaults: merged({ ...(base.defaults as Tree) }, {
      ...(own.defaults as Tree),
    }) as AlgorithmSettings["defaults"],
    reads: [own.base, ...base.reads, ...own.reads],
  };
}

/** The algorithm's defaults with those of the variants that the tree chooses. */
function defaultsOf({ defaults, variants = {} }: AlgorithmSettings, tree: Tree): Tree {
  let below: Tree = { ...(defaults as Tree) };
  for (const [key, byValue] of Object.entries(variants)) {
    const path = ["algorithm", key];
    const value = String(valueAt(tree, path) ?? valueAt(below, path) ?? valueAt(schemaDefaults(), path));
    if (Object.hasOwn(byValue, value)) below = merged(below, byValue[value] as Tree);
  }
  return below;
}

/** Who does not read key `leaf` of section `algorithm`, if it is not read. */
function unreadBy(leaf: readonly string[], name: string, reads: readonly string[], whole: Tree) {
  const path = leaf.join(".");
  if (!reads.some((key) => path === key || path.startsWith(`${key}.`))) return `algorithm ${name}`;
  const chosen = (key: string) => String(valueAt(whole, ["algorithm", key]));
  const [section, option] = leaf;
  for (
    const [key, table, needs] of [
      ["loss", lossReads, lossNeeds],
      ["estimator", estimatorReads, estimatorNeeds],
    ] as const
  ) {
    if (section !== `${key}_options` || !Object.hasOwn(table, chosen(key))) continue;
    const reader = `${key} ${chosen(key)}`;
    if (!table[chosen(key)].includes(option)) return reader;
    const [other, ...values] = needs[chosen(key)]?.[option] ?? [];
    if (other === undefined) continue;
    const value = valueAt(whole, ["algorithm", section, other]) as string | null;
    const named = values.filter((value) => value !== null).join(" or ");
    if (!values.includes(value)) return `${reader} without ${other} ${named}`;
  }
  const ablated = valueAt(whole, ["algorithm", "without_amplification"]) === true;
  return section === "alpha" && chosen("amplification") === "none" && !ablated
    ? "amplification none"
    : undefined;
}

/** Keys that are set to something, and not read. A resolved configuration names every key, so equal values pass. */
function unreadFaults(
  tree: Tree,
  fallback: Tree,
  unreadBy: (leaf: readonly string[]) => string | undefined,
): ConfigFault[] {
  if (!isTree(tree.algorithm)) return [];
  return leafPaths(tree.algorithm).flatMap((leaf): ConfigFault[] => {
    const path = ["algorithm", ...leaf];
    const value = valueAt(tree, path);
    const known = valueAt(fallback, path);
    // A section that is no mapping is the schema's fault to tell.
    if (leaf[0] === "name" || leaf.length === 0 || known === undefined || isTree(known)) return [];
    const reader = unreadBy(leaf);
    if (reader === undefined || JSON.stringify(value) === JSON.stringify(known)) return [];
    return [{ path: path.join("."), message: `${reader} does not read it, got ${JSON.stringify(value)}` }];
  });
}

/** `over` on top of `under`, mapping by mapping. */
function merged(under: Tree, over: Tree): Tree {
  const result: Tree = { ...under };
  for (const [key, value] of Object.entries(over)) {
    const old = Object.hasOwn(under, key) ? under[key] : undefined;
    Object.defineProperty(result, key, {
      value: isTree(value) && isTree(old) ? merged(old, value) : value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return result;
}

function schemaDefaults(): Tree {
  return Schema.decodeUnknownSync(RunConfig)({}) as unknown as Tree;
}
