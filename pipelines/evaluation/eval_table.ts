import type { BenchmarkReport, EvalReport } from "./eval_report.ts";
import type { GuidanceReport } from "./guidance_report.ts";
import type { ByK, SuccessReport } from "./success_report.ts";
import { table } from "../terminal/table.ts";

/** Turns up to which it is told how many attempts had won. */
const MOST_TURNS = 8;

/** What `deno task eval` prints: at most 80 columns; shares that nothing counts for are `-`. */
export function evalTable({ policies, benchmarks, forgetting }: EvalReport): string {
  const both = policies.length > 1;
  return [
    ...(both ? policies.map(({ name, path }) => `${name}: ${path}`) : []),
    ...benchmarks.map(({ name, environment, split, tasks, seed, results: [{ success: [s] }] }) =>
      `${name}: ${environment}, split ${split}, ${tasks} tasks, ${s.attempts} attempt${
        s.attempts === 1 ? "" : "s"
      } each, seed ${seed}`
    ),
    "",
    mainTable(benchmarks, both),
    ...benchmarks.flatMap((benchmark) => details(benchmark, both)),
    ...(forgetting.length === 0 ? [] : ["", forgettingTable(forgetting)]),
  ].join("\n");
}

interface Column {
  readonly title: string;
  readonly value: (report: SuccessReport) => string;
}

/** Every benchmark, policy and temperature in one row. */
function mainTable(benchmarks: readonly BenchmarkReport[], both: boolean): string {
  const all = benchmarks.flatMap(({ results }) => results.flatMap(({ success }) => success));
  const some = (holds: (report: SuccessReport) => boolean) => all.some(holds);
  const last = (byK: ByK | null) => byK === null ? NaN : Object.values(byK).at(-1) ?? NaN;
  const columns: readonly Column[] = [
    { title: "t", value: ({ temperature }) => String(temperature) },
    { title: some(({ attempts: n }) => n > 1) ? "avg@k" : "success", value: ({ success }) => share(success) },
    { title: "95 % interval", value: ({ interval }) => range(interval) },
    ...(some(({ attempts: n }) => n > 1)
      ? [
        { title: "k", value: ({ attempts }: SuccessReport) => String(attempts) },
        { title: "pass@k", value: ({ passAt }: SuccessReport) => share(last(passAt)) },
      ]
      : []),
    ...(some(({ attempts: n, bestAt, passAt }) => n > 1 && Math.abs(last(bestAt) - last(passAt)) > 1e-9)
      ? [{ title: "best@k", value: ({ bestAt }: SuccessReport) => share(last(bestAt)) }]
      : []),
    ...(some(({ attempts: n, majorityAt }) => n > 1 && majorityAt !== null)
      ? [{ title: "maj@k", value: ({ majorityAt }: SuccessReport) => share(last(majorityAt)) }]
      : []),
    { title: "no answer", value: ({ unparseable }) => share(unparseable) },
    { title: "unchecked", value: ({ failed }) => share(failed) },
    ...(some(({ attempts: n }) => n > 1)
      ? []
      : [{ title: "turns", value: ({ meanTurns }: SuccessReport) => meanTurns.toFixed(1) }]),
  ];
  const rows = benchmarks.flatMap(({ name, results }) =>
    results.flatMap(({ policy, success }) =>
      success.map((report) => [
        name,
        ...(both ? [policy] : []),
        ...columns.map(({ value }) => value(report)),
      ])
    )
  );
  return table([["benchmark", ...(both ? ["policy"] : []), ...columns.map(({ title }) => title)], ...rows]);
}

/** Kinds, categories, turns and second attempts of one benchmark. */
function details({ name, results }: BenchmarkReport, both: boolean): readonly string[] {
  const success = results.flatMap(({ policy, success }) =>
    success.map((report) => ({ report, title: `${both ? `${policy} ` : ""}t=${report.temperature}` }))
  );
  const reports = success.map(({ report }) => report);
  const titles = success.map(({ title }) => title);
  const byName = (title: string, of: (report: SuccessReport) => Readonly<Record<string, number>>) => {
    const names = [...new Set(reports.flatMap((report) => Object.keys(of(report))))];
    return names.length < 2 ? [] : [
      "",
      table([[title, ...titles], ...names.map((n) => [n, ...reports.map((r) => share(of(r)[n] ?? 0))])]),
    ];
  };
  // With two attempts the main table says it all.
  const byK = (title: string, of: (report: SuccessReport) => ByK) =>
    reports.some(({ attempts }) => attempts > 2) ? byName(title, of) : [];
  const longest = Math.max(0, ...reports.map(({ within }) => within.length));
  // Where a turn is an answer, not a step on the way to one.
  const answers = reports.some(({ majorityAt }) => majorityAt !== null);
  const turns = answers && longest > 1 && longest <= MOST_TURNS
    ? byName(
      `${name}: won within`,
      ({ within, success }) =>
        Object.fromEntries(
          Array.from(
            { length: longest },
            (_, t) => [`${t + 1} turn${t === 0 ? "" : "s"}`, within[t] ?? success],
          ),
        ),
    )
    : [];
  const guided = results.flatMap(({ policy, guidance }) => guidance === null ? [] : [{ policy, guidance }]);
  return [
    ...byName(
      `${name}: success by kind`,
      ({ byKind }) => Object.fromEntries(Object.entries(byKind).map(([kind, [won, n]]) => [kind, won / n])),
    ),
    ...turns,
    ...byK(`${name}: pass@k`, ({ passAt }) => passAt),
    ...byK(`${name}: maj@k`, ({ majorityAt }) => majorityAt ?? {}),
    ...byName(`${name}: verdicts, share`, ({ categories }) => categories),
    ...(guided.length === 0 ? [] : ["", guidanceTable(name, guided)]),
  ];
}

type Guided = { readonly policy: string; readonly guidance: GuidanceReport };

const guidanceRows: readonly (readonly [title: string, value: (report: GuidanceReport) => string])[] = [
  ["first attempt", ({ baseSuccess }) => share(baseSuccess)],
  ["  95 % interval", ({ baseInterval }) => range(baseInterval)],
  ["first or second attempt", ({ secondSuccess }) => share(secondSuccess)],
  ["  95 % interval", ({ secondInterval }) => range(secondInterval)],
  ["valid reports", ({ validReports }) => share(validReports)],
  ["outcome right, of valid reports", ({ outcomeRight }) => share(outcomeRight)],
  ["suggestion right, of failures", ({ suggestionRight }) => share(suggestionRight)],
  ["pivot right, of failures", ({ pivotRight }) => share(pivotRight)],
  ["retries", ({ retries }) => String(retries)],
  ["retry success", ({ retrySuccess }) => share(retrySuccess)],
  ["reflections on failures", ({ reflections }) => String(reflections.count)],
  [
    "  tokens: mean / median / 95 %",
    ({ reflections: { count, mean, median, p95 } }) =>
      count === 0 ? "-" : `${mean.toFixed(1)} / ${median} / ${p95}`,
  ],
  ["  cut at the token limit", ({ cutReflections }) => share(cutReflections)],
  ["  distinct runs of four tokens", ({ reflections }) => share(reflections.distinct4)],
];

function guidanceTable(name: string, guided: readonly Guided[]): string {
  const both = guided.length > 1;
  const [{ guidance: { source, temperatures: { attempts: t, reflections } } }] = guided;
  return table([
    [
      `${name}: guidance ${source}, t=${t}, reports t=${reflections}`,
      ...guided.map(({ policy }) => both ? policy : ""),
    ],
    ...guidanceRows.map(([title, value]) => [title, ...guided.map(({ guidance }) => value(guidance))]),
  ]);
}

function forgettingTable(changes: EvalReport["forgetting"]): string {
  return table([
    ["change by training", "t", "before", "after", "change", "error", "allowed", ""],
    ...changes.map(({ benchmark, temperature, before, after, standardError, allowed, passed }) => [
      benchmark,
      String(temperature),
      share(before),
      share(after),
      (after < before ? "" : "+") + share(after - before),
      share(standardError),
      allowed === null ? "any" : `-${share(allowed)}`,
      passed ? "ok" : "FORGOT",
    ]),
  ]);
}

function range([low, high]: readonly [number, number]): string {
  return `${share(low)}-${share(high)}`;
}

function share(value: number): string {
  return Number.isFinite(value) ? value.toFixed(3) : "-";
}
