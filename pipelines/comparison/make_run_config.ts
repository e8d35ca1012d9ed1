import { Result } from "effect";
import { type ComparisonConfig, searchTokens } from "../../stages/config/comparison_config.ts";
import type { ConfigFault } from "../../stages/config/consistency_faults.ts";
import { overridesOf } from "../../stages/config/overrides_of.ts";
import type { RunConfig } from "../../stages/config/run_config.ts";
import { ConfigError } from "../../stages/errors.ts";
import { loadRunConfig } from "../run/load_run_config.ts";
import type { RunSpec } from "./comparison.ts";

/** Keys that a comparison sets itself, and why. */
const reserved: Readonly<Record<string, string>> = {
  "optim.lr": "is chosen from search.rates",
  "trainer.seed": "comes from seeds and search.seeds",
  "trainer.total_steps": "runs end after tokens",
  "trainer.total_tokens": "write tokens or search.tokens",
  "trainer.eval_steps": "write eval_tokens",
  "trainer.eval_tokens": "write eval_tokens at the top",
  "trainer.run_dir": "follows from folder",
  "trainer.resume": "finished runs are kept, others continue",
};

/** Settings of the comparison that are not for its parts to make. */
export function reservedFaults(settings: ComparisonConfig): readonly ConfigFault[] {
  const named = (name: string, parts: Readonly<Record<string, Readonly<Record<string, unknown>>>>) =>
    Object.entries(parts).map(([part, tree]) => [`${name}.${part}`, tree] as const);
  const parts = [
    ["base", settings.base] as const,
    ["search.settings", settings.search.settings] as const,
    ...named("starts", settings.starts),
    ...named("entries", settings.entries),
  ];
  return parts.flatMap(([place, tree]) =>
    overridesOf(tree).map((text) => text.slice(0, text.indexOf("=")))
      .filter((path) => Object.hasOwn(reserved, path))
      .map((path) => ({ path: `${place}.${path}`, message: `a comparison sets it: ${reserved[path]}` }))
  );
}

/** The configuration of one run: base, start, entry, then what the comparison decides. */
export function makeRunConfig(
  settings: ComparisonConfig,
  { phase, start, entry, rate, seed }: Omit<RunSpec, "config">,
): Result.Result<RunConfig, ConfigError> {
  const tokens = phase === "search" ? searchTokens(settings) : settings.tokens;
  const source = `${start}, ${entry}`;
  const loaded = loadRunConfig({
    source,
    overrides: [
      "eval.temperatures=[1]",
      ...overridesOf(settings.base),
      ...overridesOf(settings.starts[start]),
      ...overridesOf(settings.entries[entry]),
      ...(phase === "search" ? overridesOf(settings.search.settings) : []),
      `optim.lr=${rate}`,
      `trainer.seed=${seed}`,
      // A step generates at least one token, so this many steps are never needed.
      `trainer.total_steps=${tokens}`,
      `trainer.total_tokens=${tokens}`,
      `trainer.eval_tokens=${settings.eval_tokens}`,
      `trainer.run_dir=${JSON.stringify(`${settings.folder}/${start}/${entry}/lr${rate}-seed${seed}`)}`,
      "trainer.keep_checkpoints=1",
    ],
  });
  if (Result.isFailure(loaded)) return loaded;
  const faults = faultsOf(loaded.success);
  return faults.length > 0 ? Result.fail(new ConfigError({ source, faults })) : loaded;
}

function faultsOf({ eval: { temperatures } }: RunConfig): readonly ConfigFault[] {
  if (temperatures.length === 1) return [];
  const message = `a comparison judges by one, got ${JSON.stringify(temperatures)}`;
  return [{ path: "eval.temperatures", message }];
}
