import type { Attempt, Sampled } from "../../stages/record.ts";
import { bestAtK } from "./statistics/best_at_k.ts";
import { majorityAtK } from "./statistics/majority_at_k.ts";
import { passAtK } from "./statistics/pass_at_k.ts";
import { wilsonInterval } from "./statistics/wilson_interval.ts";

/** A statistic by the number of attempts that it is over. */
export type ByK = Readonly<Record<string, number>>;

/** Success on a list of tasks, from one or several independent attempts at each. */
export interface SuccessReport {
  /** Sampling temperature; 0 = greedy. */
  readonly temperature: number;
  /** How many tasks were played. */
  readonly tasks: number;
  /** Attempts at each task. */
  readonly attempts: number;
  /** Share of attempts that won (avg@n). */
  readonly success: number;
  /** 95 % Wilson interval of `success`; a task counts once, however many attempts it got. */
  readonly interval: readonly [number, number];
  /** Chance that one of k attempts wins, for k = 1, 2, 4, … and n. */
  readonly passAt: ByK;
  /** Expected highest reward of k attempts; an attempt without reward counts 0. */
  readonly bestAt: ByK;
  /** Share of tasks whose most frequent answer of k is right; null where there are no answers to compare. */
  readonly majorityAt: ByK | null;
  /** Mean number of turns of an attempt. */
  readonly meanTurns: number;
  /** Share of attempts that won within 1, 2, … turns; for questions a turn is an answer after feedback. */
  readonly within: readonly number[];
  /** Share of attempts with a reply that was cut at the token limit or a full context. */
  readonly cut: number;
  /** Share of attempts without an answer that could be read; they count as no success. */
  readonly unparseable: number;
  /** Share of attempts that got no verdict: the check took too long or the environment failed. They count as no success. */
  readonly failed: number;
  /** Category of the verdict → share of attempts; together 1. */
  readonly categories: Readonly<Record<string, number>>;
  /** Kind of task → [successes, attempts]. */
  readonly byKind: Readonly<Record<string, readonly [number, number]>>;
  /** Task → [successes, attempts], in the order of the tasks. */
  readonly byTask: Readonly<Record<string, readonly [number, number]>>;
}

/** Sums up groups of equally many attempts. */
export function successReport(groups: readonly Sampled[], temperature: number): SuccessReport {
  const all = groups.flatMap(({ attempts }) => attempts);
  const n = groups[0]?.attempts.length ?? 0;
  const share = (holds: (attempt: Attempt) => boolean) =>
    all.length === 0 ? 0 : all.filter(holds).length / all.length;
  const success = share(({ won }) => won);
  const overTasks = (of: (attempts: readonly Attempt[], k: number) => number): ByK =>
    Object.fromEntries(
      sizes(n).map((
        k,
      ) => [k, groups.reduce((sum, { attempts }) => sum + of(attempts, k), 0) / groups.length]),
    );
  const longest = Math.max(0, ...all.filter(({ won }) => won).map(({ turns }) => turns.length));
  return {
    temperature,
    tasks: groups.length,
    attempts: n,
    success,
    interval: wilsonInterval(success * groups.length, groups.length),
    passAt: overTasks((attempts, k) => passAtK(n, attempts.filter(({ won }) => won).length, k)),
    bestAt: overTasks((attempts, k) => bestAtK(attempts.map(({ reward }) => reward ?? 0), k)),
    majorityAt: all.every(({ verdict }) => (verdict?.answer ?? null) === null)
      ? null
      : overTasks((attempts, k) =>
        majorityAtK(attempts.map(({ verdict, won }) => ({ answer: verdict?.answer ?? null, right: won })), k)
      ),
    meanTurns: all.length === 0 ? 0 : all.reduce((sum, { turns }) => sum + turns.length, 0) / all.length,
    within: Array.from(
      { length: longest },
      (_, t) => share(({ won, turns }) => won && turns.length <= t + 1),
    ),
    cut: share(({ turns }) => turns.some(({ stopReason }) => stopReason !== "stop")),
    unparseable: share(({ verdict }) => verdict?.outcome === "unparseable"),
    failed: share(({ failure }) => failure !== undefined),
    categories: counted(all.map(categoryOf), (count) => count / all.length),
    byKind: tallies(groups, ({ task }) => task.kind),
    byTask: tallies(groups, ({ task }) => task.id, false),
  };
}

/** The category of the verdict, or what else is known of an attempt. */
export function categoryOf({ verdict, won, failure, truncated }: Attempt): string {
  if (verdict !== undefined) return verdict.category;
  return won ? "ok" : failure !== undefined ? "environment" : truncated ? "truncated" : "lost";
}

/** 1, 2, 4, … below n, and n. */
function sizes(n: number): readonly number[] {
  const powers = Array.from({ length: 31 }, (_, i) => 2 ** i).filter((k) => k < n);
  return n === 0 ? [] : [...powers, n];
}

/** How often each name occurs, the most frequent first. */
export function counted(names: readonly string[], value: (count: number) => number): Record<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const sorted = [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([name, count]) => [name, value(count)]));
}

function tallies(
  groups: readonly Sampled[],
  name: (group: Sampled) => string,
  sort = true,
): Record<string, readonly [number, number]> {
  const found = new Map<string, [number, number]>();
  for (const group of groups) {
    const [won, played] = found.get(name(group)) ?? [0, 0];
    const wins = group.attempts.filter((attempt) => attempt.won).length;
    found.set(name(group), [won + wins, played + group.attempts.length]);
  }
  const entries = [...found];
  return Object.fromEntries(sort ? entries.sort(([a], [b]) => (a < b ? -1 : 1)) : entries);
}
