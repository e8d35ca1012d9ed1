import { stringify } from "@std/yaml";
import { Result } from "effect";
import { isTree, type Tree } from "./_tree.ts";
import { loadConfig } from "./load_config.ts";
import type { RunConfig } from "./run_config.ts";
import { ConfigError } from "../errors.ts";

/** One thing to measure: a configuration of its own under a name. */
export interface Benchmark {
  readonly name: string;
  readonly config: RunConfig;
}

/** Sections that a benchmark may set. */
const sections: readonly string[] = ["task", "data", "rollout", "eval"];

/** Keys of section `eval` that are about all benchmarks together. */
const common: readonly string[] = ["benchmarks", "baseline", "forget_margin", "out_dir"];

/**
 * The benchmarks of `eval.benchmarks`, or one named after `task.environment`. What a
 * benchmark does not set is as in the rest of the configuration; one that names its
 * environment starts from the defaults of `task` and `data`. The failure lists every
 * fault with its path, e.g. `eval.benchmarks[1].task.level`.
 */
export function benchmarks(config: RunConfig): Result.Result<readonly Benchmark[], ConfigError> {
  const { benchmarks: given } = config.eval;
  if (given.length === 0) return Result.succeed([{ name: config.task.environment, config }]);
  const read = given.map((entry, i) => one(config, entry, `eval.benchmarks[${i}]`));
  const names = read.map(({ name }) => name);
  const faults = [
    ...read.flatMap(({ faults }) => faults),
    ...names.flatMap((name, i) =>
      // One without a name has been told so.
      typeof given[i].name !== "string" || names.indexOf(name) === i
        ? []
        : [{ path: `eval.benchmarks[${i}].name`, message: `two benchmarks are named ${name}` }]
    ),
  ];
  if (faults.length > 0) return Result.fail(new ConfigError({ source: "eval.benchmarks", faults }));
  return Result.succeed(
    read.flatMap(({ name, config }) => config === undefined ? [] : [{ name, config }]),
  );
}

interface Read {
  readonly name: string;
  readonly config?: RunConfig;
  readonly faults: readonly { readonly path: string; readonly message: string }[];
}

function one(base: RunConfig, { name, ...entry }: Tree, path: string): Read {
  const shown = String(name);
  const faults = Object.entries(entry).flatMap(([section, value]) => {
    if (!sections.includes(section)) {
      return [{ path: `${path}.${section}`, message: `expected name, ${sections.join(", ")}` }];
    }
    if (!isTree(value)) return [{ path: `${path}.${section}`, message: "expected keys and values" }];
    const shared = section === "eval" ? common.filter((key) => Object.hasOwn(value, key)) : [];
    return shared.map((key) => ({
      path: `${path}.eval.${key}`,
      message: "is about all benchmarks together; set it in section eval of the configuration",
    }));
  });
  if (typeof name !== "string" || name.trim() === "") {
    faults.push({ path: `${path}.name`, message: `expected a name, got ${JSON.stringify(name)}` });
  }
  if (faults.length > 0) return { name: shown, faults };
  const loaded = loadConfig({
    source: shown,
    yaml: stringify(overlaid(base, entry as Record<string, Tree>)),
  });
  return Result.isFailure(loaded)
    ? {
      name: shown,
      faults: loaded.failure.faults.map((fault) => ({ ...fault, path: `${path}.${fault.path}` })),
    }
    : { name: shown, config: loaded.success, faults: [] };
}

/** The configuration with a benchmark's sections on top. */
function overlaid(base: RunConfig, entry: Readonly<Record<string, Tree>>): Tree {
  const fresh = entry.task !== undefined && Object.hasOwn(entry.task, "environment");
  const below: Tree = { ...base, eval: { ...base.eval, benchmarks: [] } };
  if (fresh) {
    delete below.task;
    delete below.data;
  }
  for (const [section, keys] of Object.entries(entry)) {
    below[section] = { ...(below[section] as Tree | undefined), ...keys };
  }
  return below;
}
