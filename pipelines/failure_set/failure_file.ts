import { Effect, Result, Schema, type Scope } from "effect";
import { ConfigError, FileError } from "../../stages/errors.ts";
import { appendLine } from "../run_folder/append_line.ts";
import { lockFile } from "../run_folder/lock_file.ts";
import { tryFile } from "../run_folder/try_file.ts";
import { wholeLines } from "../run_folder/whole_lines.ts";
import { writeAtomic } from "../run_folder/write_atomic.ts";
import type { FailureRow } from "./failure_row.ts";

/** What is known of all tasks that were tried. */
export interface FailureCounts {
  readonly tasks: number;
  /** Tasks of which a failed attempt is kept. */
  readonly kept: number;
  /** Attempts at all tasks together. */
  readonly sampled: number;
  /** Attempts that won. */
  readonly successes: number;
  /** Kept by the rule, but also a question of another split. */
  readonly contaminated: number;
}

/** A line of the work file: a task that is settled. */
export interface SettledLine {
  readonly index: number;
  readonly sampled: number;
  readonly successes: number;
  readonly contaminated: boolean;
  readonly row: FailureRow | null;
}

/** Everything that decides what the file holds. */
export type FailureSettings = Readonly<Record<string, unknown>>;

/** The file of failures while it is being made. */
export interface FailureFile {
  /** The finished file's counts, if it is finished. */
  readonly finished: FailureCounts | null;
  /** Lines of an earlier, interrupted run. */
  readonly done: readonly SettledLine[];
  readonly append: (line: SettledLine) => Effect.Effect<void, FileError>;
  /** Writes the file and its counts, and removes the work file. */
  readonly finish: (lines: readonly SettledLine[]) => Effect.Effect<FailureCounts, FileError>;
}

/**
 * Opens the file of failures at `path`. While it is made, settled tasks are lines of
 * `<path>.work`, so a killed command continues; `<path>` itself appears whole, with
 * `<path>.meta.json` beside it. A file or work file of other settings is a ConfigError.
 */
export function openFailureFile(
  path: string,
  settings: FailureSettings,
): Effect.Effect<FailureFile, ConfigError | FileError, Scope.Scope> {
  const [work, meta] = [`${path}.work`, `${path}.meta.json`];
  return Effect.gen(function* () {
    const folder = path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : ".";
    yield* tryFile(folder, () => Deno.mkdirSync(folder, { recursive: true }));
    if (yield* tryFile(path, () => exists(path))) {
      const made = yield* tryFile(meta, () => readMeta(meta));
      yield* sameSettings(path, made.settings, settings);
      return { ...unopened, finished: made.counts };
    }
    yield* lockFile(work);
    const lines = yield* tryFile(work, () => wholeLines(work));
    if (lines.length > 0) yield* sameSettings(work, lines[0], settings);
    yield* tryFile(work, () => checkLines(work, lines));
    // A torn last line goes, so that the next one starts on its own.
    const whole = lines.length > 0 ? lines : [settings];
    yield* tryFile(work, () => writeAtomic(work, whole.map((line) => JSON.stringify(line) + "\n").join("")));
    return {
      finished: null,
      done: lines.slice(1) as unknown as readonly SettledLine[],
      append: (line) => tryFile(work, () => appendLine(work, line)),
      finish: (lines) =>
        tryFile(path, () => {
          const counts = countsOf(lines);
          writeAtomic(meta, JSON.stringify({ settings, counts }, null, 2) + "\n");
          writeAtomic(
            path,
            lines.flatMap(({ row }) => row === null ? [] : [JSON.stringify(row) + "\n"]).join(""),
          );
          Deno.removeSync(work);
          return counts;
        }),
    };
  });
}

const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0));

const Meta = Schema.Struct({
  settings: Schema.Record(Schema.String, Schema.Unknown),
  counts: Schema.Struct({ tasks: Count, kept: Count, sampled: Count, successes: Count, contaminated: Count }),
});

function readMeta(path: string): typeof Meta.Type {
  const decoded = Schema.decodeUnknownResult(Schema.fromJsonString(Meta))(Deno.readTextFileSync(path));
  if (Result.isSuccess(decoded)) return decoded.success;
  throw new FileError({
    path,
    reason: "does not tell settings and counts; remove both files to make them again",
  });
}

/** Settled tasks are 0, 1, 2, ... in order, each with what was counted. @throws FileError */
function checkLines(path: string, lines: readonly Readonly<Record<string, unknown>>[]): void {
  for (const [i, { index, sampled, successes, contaminated, row }] of lines.slice(1).entries()) {
    const isWhole = index === i && [sampled, successes].every((n) => Number.isSafeInteger(n)) &&
      typeof contaminated === "boolean" && typeof row === "object";
    if (isWhole) continue;
    throw new FileError({ path, reason: `line ${i + 2} is not task ${i}; remove the file to begin anew` });
  }
}

const unopened = {
  done: [],
  append: () => Effect.void,
  finish: (lines: readonly SettledLine[]) => Effect.succeed(countsOf(lines)),
};

function countsOf(lines: readonly SettledLine[]): FailureCounts {
  const sum = (of: (line: SettledLine) => number) => lines.reduce((total, line) => total + of(line), 0);
  return {
    tasks: lines.length,
    kept: sum(({ row }) => Number(row !== null)),
    sampled: sum(({ sampled }) => sampled),
    successes: sum(({ successes }) => successes),
    contaminated: sum(({ contaminated }) => Number(contaminated)),
  };
}

function sameSettings(
  path: string,
  theirs: unknown,
  ours: FailureSettings,
): Effect.Effect<void, ConfigError> {
  const other = (theirs ?? {}) as FailureSettings;
  const differing = Object.keys(ours).filter((key) =>
    JSON.stringify(other[key]) !== JSON.stringify(ours[key])
  );
  if (differing.length === 0) return Effect.void;
  const told = differing.map((key) =>
    `${key} was ${JSON.stringify(other[key])}, is ${JSON.stringify(ours[key])}`
  );
  const message = `${path} was made with other settings (${told.join("; ")}); name another file or remove it`;
  return Effect.fail(new ConfigError({ source: "failures", faults: [{ path: "failures.out", message }] }));
}

function exists(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
