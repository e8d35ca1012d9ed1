import { Schema } from "effect";
import { isTree, leafPaths, type Tree, valueAt } from "./_tree.ts";
import type { ConfigFault } from "./consistency_faults.ts";
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
  const { defaults, reads } = algorithms[name];
  const below = { ...(defaults as Tree) };
  const whole = merged(below, tree);
  return { tree: whole, faults: unreadFaults(tree, merged(schemaDefaults(), below), name, reads) };
}

/** Keys that are set to something, and not read. A resolved configuration names every key, so equal values pass. */
function unreadFaults(tree: Tree, fallback: Tree, name: string, reads: readonly string[]): ConfigFault[] {
  const isRead = (path: string) => reads.some((key) => path === key || path.startsWith(`${key}.`));
  if (!isTree(tree.algorithm)) return [];
  return leafPaths(tree.algorithm).flatMap((leaf): ConfigFault[] => {
    const path = ["algorithm", ...leaf];
    const value = valueAt(tree, path);
    const known = valueAt(fallback, path);
    if (leaf[0] === "name" || leaf.length === 0 || known === undefined || isRead(leaf.join("."))) return [];
    if (JSON.stringify(value) === JSON.stringify(known)) return [];
    return [{
      path: path.join("."),
      message: `algorithm ${name} does not read it, got ${JSON.stringify(value)}`,
    }];
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
