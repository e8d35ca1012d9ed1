/**
 * Name of an evaluation's metric, in verl's form: `val-core/{source}/{metric}_t{temperature}/mean@{n}`,
 * e.g. `val-core/household/success_t0.4/mean@1`; n is the number of attempts at each task.
 */
export function evalMetric(source: string, metric: string, temperature: number, attempts = 1): string {
  return `val-core/${source}/${metric}_t${temperature}/mean@${attempts}`;
}

/** What a name made by {@link evalMetric} says, or undefined for another name. */
export function parseEvalMetric(
  name: string,
): { readonly source: string; readonly metric: string; readonly temperature: number } | undefined {
  const match = /^val-core\/(.+)\/(.+)_t([\d.]+)\/mean@\d+$/.exec(name);
  if (match === null) return undefined;
  return { source: match[1], metric: match[2], temperature: Number(match[3]) };
}

/** What was evaluated, of these names: success by kind of task is a metric of its own and no source. */
export function successSources(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.flatMap((name) => {
    const parsed = parseEvalMetric(name);
    return parsed?.metric === "success" ? [parsed.source] : [];
  }));
}
