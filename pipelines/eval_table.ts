import type { EvalReport } from "./eval_loop.ts";
import { table } from "./table.ts";

/** What `deno task eval` prints: at most 80 columns; shares that nothing counts for are `-`. */
export function evalTable({ success, guidance }: EvalReport): string {
  const kinds = [...new Set(success.flatMap(({ byKind }) => Object.keys(byKind)))];
  const rows = success.map((report) => [
    String(report.temperature),
    share(report.success),
    `${share(report.interval[0])}-${share(report.interval[1])}`,
    String(report.tasks),
    report.meanTurns.toFixed(1),
  ]);
  const byKind = kinds.map((kind) => [
    kind,
    ...success.map(({ byKind: { [kind]: [won, played] = [0, 0] } }) => share(won / played)),
  ]);
  return [
    table([["temperature", "success", "95 % interval", "games", "turns"], ...rows]),
    "",
    table([["success by kind", ...success.map(({ temperature }) => `t=${temperature}`)], ...byKind]),
    "",
    table([
      [`retries with guidance: ${guidance.source}`, ""],
      ["base success", share(guidance.baseSuccess)],
      ["valid reports", share(guidance.validReports)],
      ["outcome right, of valid reports", share(guidance.outcomeRight)],
      ["suggestion right, of failures", share(guidance.suggestionRight)],
      ["pivot right, of failures", share(guidance.pivotRight)],
      ["retries", String(guidance.retries)],
      ["retry success", share(guidance.retrySuccess)],
    ]),
  ].join("\n");
}

function share(value: number): string {
  return Number.isFinite(value) ? value.toFixed(3) : "-";
}
