import { Effect } from "effect";
import type { Environment } from "../../envs/env.ts";
import { readRows } from "../../envs/rows/read_rows.ts";
import { RowFault } from "../../envs/rows/row.ts";
import { FileError } from "../../stages/errors.ts";
import { Negatives } from "../../stages/negatives/negatives.ts";
import type { Policy } from "../../stages/policy/policy.ts";
import { checkNegative, type NegativeLimits, parseNegative } from "./check_negative.ts";

/** Faults that an error lists. */
const LISTED = 50;

/**
 * Reads golden negative trajectories, JSON lines of `{id, task, index, replies,
 * attempt}`. Rows that are malformed, repeat an id, succeed at their task or make a
 * prompt too long are faults; `badRows` is the largest share that may be left out.
 * Fails with FileError that names file, rows and fields.
 */
export const readNegatives = Effect.fnUntraced(function* (
  path: string,
  limits: NegativeLimits,
  badRows: number,
): Effect.fn.Return<Negatives, FileError, Environment | Policy> {
  const run = Effect.runPromiseWith(yield* Effect.context<Environment | Policy>());
  const seen = new Map<string, number>();
  const { rows, leftOut } = yield* Effect.tryPromise({
    try: () =>
      readRows(
        path,
        async (raw, i) => {
          const row = parseNegative(raw);
          const before = seen.get(row.id);
          if (before !== undefined) {
            throw new RowFault("id", `${JSON.stringify(row.id)} is the id of row ${before} too`);
          }
          seen.set(row.id, i + 1);
          await run(checkNegative(row, limits));
          return row;
        },
        badRows,
        LISTED,
      ),
    catch: (error) => error instanceof FileError ? error : new FileError({ path, reason: String(error) }),
  });
  for (const fault of leftOut) yield* Effect.logWarning(`${path}: ${fault}`);
  return new Negatives(rows);
});
