import { sha256 } from "./checkpoint.ts";
import type { RunConfig } from "../../stages/config/run_config.ts";

/** Sections that training does not read. */
export const otherCommands: readonly string[] = ["serve", "negatives", "failures", "demonstrations"];

/** Keys and sections that may change between the starts of one run: they move neither data nor updates of the steps taken. */
export const freeKeys: readonly string[] = [
  "trainer.total_steps",
  "trainer.total_tokens",
  "trainer.run_dir",
  "trainer.resume",
  "trainer.save_steps",
  "trainer.eval_steps",
  "trainer.eval_tokens",
  "trainer.keep_checkpoints",
  "rollout.concurrency",
  "rollout.env_timeout_s",
  "engine.provider",
  "engine.threads",
  "log",
  "eval",
  ...otherCommands,
];

/** One key that differs. */
export interface ConfigDifference {
  readonly path: string;
  readonly before: unknown;
  readonly now: unknown;
}

/** The keys, free ones aside, in which a run's stored configuration and this one differ. */
export function configDifferences(
  before: RunConfig,
  now: RunConfig,
  free = freeKeys,
): readonly ConfigDifference[] {
  const [old, young] = [fixedKeys(before, free), fixedKeys(now, free)];
  return [...new Set([...old.keys(), ...young.keys()])].sort().flatMap((path) => {
    const [a, b] = [old.get(path), young.get(path)];
    return JSON.stringify(a) === JSON.stringify(b) ? [] : [{ path, before: a, now: b }];
  });
}

/** Hash of the keys that may not change. */
export function configHash(config: RunConfig): string {
  return sha256(JSON.stringify([...fixedKeys(config)].sort(([a], [b]) => a < b ? -1 : 1)));
}

function fixedKeys(config: RunConfig, free = freeKeys): Map<string, unknown> {
  return new Map(leaves(config, [], free));
}

function leaves(value: unknown, path: readonly string[], free: readonly string[]): [string, unknown][] {
  const name = path.join(".");
  if (free.includes(name)) return [];
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [[name, value]];
  return Object.entries(value).flatMap(([key, below]) => leaves(below, [...path, key], free));
}
