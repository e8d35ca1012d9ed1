import { FileError } from "../../stages/errors.ts";
import { appendLine } from "../run_folder/append_line.ts";
import { wholeLines } from "../run_folder/whole_lines.ts";
import { writeAtomic } from "../run_folder/write_atomic.ts";
import type { Gathered } from "./gather_negatives.ts";

/** Settings that decide what is gathered, by key. */
export type Settings = Readonly<Record<string, unknown>>;

/**
 * The file being built: `<path>.part` holds the settings and then one line a batch of
 * tasks, so that a build that was killed goes on after its last whole line; `path`
 * itself appears, whole, at the end.
 */
export class NegativesFile {
  readonly #part: string;
  readonly #batches: Gathered[];

  /** @throws FileError if `path` is there already, or was begun with other settings. */
  constructor(readonly path: string, settings: Settings) {
    this.#part = `${path}.part`;
    if (exists(path)) throw new FileError({ path, reason: "is there already; remove it to build it anew" });
    const begun = wholeLines(this.#part);
    if (begun.length === 0) {
      writeAtomic(this.#part, JSON.stringify(settings) + "\n");
    } else {
      const [before, now] = [begun[0] as Settings, settings];
      const key = Object.keys({ ...before, ...now })
        .find((key) => JSON.stringify(before[key]) !== JSON.stringify(now[key]));
      if (key !== undefined) {
        const reason = `was begun with ${key} ${JSON.stringify(before[key])}, now it is ` +
          `${JSON.stringify(now[key])}; remove it to begin anew`;
        throw new FileError({ path: this.#part, reason });
      }
      // What stands behind the last whole line was torn.
      writeAtomic(this.#part, begun.map((line) => JSON.stringify(line) + "\n").join(""));
    }
    this.#batches = begun.slice(1).map((line, i) => batchOf(line, i, this.#part));
  }

  /** What is there so far, one entry a batch. */
  get batches(): readonly Gathered[] {
    return this.#batches;
  }

  /** Adds a batch, for good. */
  add(batch: Gathered): void {
    appendLine(this.#part, batch);
    this.#batches.push(batch);
  }

  /** Writes `path`. @throws FileError if nothing was gathered. */
  finish(): void {
    const rows = this.#batches.flatMap((batch) => batch.rows);
    if (rows.length === 0) {
      throw new FileError({
        path: this.#part,
        reason: "no failed attempt was kept; remove it to begin anew",
      });
    }
    writeAtomic(this.path, rows.map((row) => JSON.stringify(row) + "\n").join(""));
    Deno.removeSync(this.#part);
  }
}

/** A line of the file after the settings. @throws FileError if it was changed by another hand */
function batchOf(line: Readonly<Record<string, unknown>>, i: number, path: string): Gathered {
  const { rows, ...counts } = line;
  const isList = Array.isArray(rows) && rows.every((row) => typeof row?.id === "string");
  const names = ["attempts", "failures", "usable", "tooLong"];
  if (isList && names.every((name) => Number.isSafeInteger(counts[name]))) return line as unknown as Gathered;
  throw new FileError({ path, reason: `line ${i + 2} is no batch of rows; remove the file to begin anew` });
}

function exists(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
