import type { SuccessReport } from "./success_report.ts";

/** A change of success between two policies on the same tasks. */
export interface Forgetting {
  readonly benchmark: string;
  readonly temperature: number;
  readonly before: number;
  readonly after: number;
  /** Standard error of the change, paired by task. */
  readonly standardError: number;
  /** The largest fall that is allowed; null = any. */
  readonly allowed: number | null;
  readonly passed: boolean;
}

/**
 * Compares two policies on one benchmark. A fall beyond `margin` and beyond two
 * standard errors of the paired difference has not passed.
 *
 * @throws RangeError if they did not play the same tasks.
 */
export function forgetting(
  benchmark: string,
  before: SuccessReport,
  after: SuccessReport,
  margin: number | null,
): Forgetting {
  const names = Object.keys(before.byTask);
  if (names.length === 0 || names.join("\n") !== Object.keys(after.byTask).join("\n")) {
    throw new RangeError(`${benchmark}: the policies did not play the same tasks`);
  }
  const changes = names.map((name) => rate(after.byTask[name]) - rate(before.byTask[name]));
  const standardError = errorOfMean(changes);
  const allowed = margin === null ? null : Math.max(margin, 2 * standardError);
  const fall = before.success - after.success;
  return {
    benchmark,
    temperature: before.temperature,
    before: before.success,
    after: after.success,
    standardError,
    allowed,
    // Equal within rounding is allowed.
    passed: allowed === null || fall <= allowed + 1e-12,
  };
}

function rate([won, played]: readonly [number, number]): number {
  return won / played;
}

/** Sample standard deviation / √n; 0 for one value. */
function errorOfMean(values: readonly number[]): number {
  const n = values.length;
  if (n < 2) return 0;
  const mean = values.reduce((a, b) => a + b, 0) / n;
  return Math.sqrt(values.reduce((sum, v) => sum + (v - mean) ** 2, 0) / (n - 1) / n);
}
