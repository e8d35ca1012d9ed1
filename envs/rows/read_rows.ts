import { FileError } from "../../stages/errors.ts";
import { type Row, RowFault, shown } from "./row.ts";

/** What {@link readRows} gives. */
export interface ReadRows<T> {
  readonly rows: readonly T[];
  /** What is wrong with the rows that were left out. */
  readonly leftOut: readonly string[];
}

/**
 * Reads a data file of JSON lines, or of one JSON array, and turns each row into a
 * `T` by `parse`. `badRows` is the largest share of rows that may be left out because
 * `parse` throws a RowFault or the line is no JSON object; the error of more of them
 * lists the first `listed`.
 *
 * @throws FileError that names file, rows and fields; also if no row is left.
 */
export async function readRows<T>(
  path: string,
  parse: (row: Row, index: number) => T | Promise<T>,
  badRows = 0,
  listed = 5,
): Promise<ReadRows<T>> {
  const rows: T[] = [];
  const leftOut: string[] = [];
  let count = 0;
  for await (const raw of records(path)) {
    try {
      const row = typeof raw === "string" ? parseLine(raw) : raw;
      if (typeof row !== "object" || row === null || Array.isArray(row)) {
        throw new RowFault("(row)", `expected an object, got ${shown(row)}`);
      }
      const parsed = parse(row as Row, count);
      rows.push(parsed instanceof Promise ? await parsed : parsed);
    } catch (error) {
      if (!(error instanceof RowFault)) throw error;
      leftOut.push(`row ${count + 1}, ${error.message}`);
    }
    count++;
  }
  if (leftOut.length > badRows * count) {
    const more = leftOut.length > listed ? [`and ${leftOut.length - listed} more`] : [];
    throw new FileError({
      path,
      reason: `${leftOut.length} of ${count} rows are malformed, at most a share of ${badRows} may be: ` +
        [...leftOut.slice(0, listed), ...more].join("; "),
    });
  }
  if (rows.length === 0) throw new FileError({ path, reason: "no rows" });
  return { rows, leftOut };
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    throw new RowFault("(row)", `not JSON: ${(error as Error).message.slice(0, 80)}`);
  }
}

/** Rows as lines of text, or as values if the file is an array. */
async function* records(path: string): AsyncGenerator<unknown> {
  let file: Deno.FsFile;
  try {
    file = await Deno.open(path);
  } catch (error) {
    throw new FileError({ path, reason: (error as Error).message });
  }
  try {
    let isArray: boolean | undefined;
    // Of an array all of it, else of the line that is not whole yet.
    let parts: string[] = [];
    for await (const chunk of file.readable.pipeThrough(new TextDecoderStream("utf-8", { fatal: true }))) {
      isArray ??= /^\s*\[/.test(chunk);
      const lines = isArray ? [chunk] : chunk.split("\n");
      parts.push(lines[0]);
      if (lines.length === 1) continue;
      const whole = [parts.join(""), ...lines.slice(1, -1)];
      parts = lines.slice(-1);
      for (const line of whole) if (line.trim() !== "") yield line;
    }
    const rest = parts.join("");
    if (isArray) yield* arrayOf(path, rest);
    else if (rest.trim() !== "") yield rest;
  } catch (error) {
    if (error instanceof FileError) throw error;
    // Only the decoder throws one.
    const reason = error instanceof TypeError ? "is not UTF-8 throughout" : (error as Error).message;
    throw new FileError({ path, reason });
  }
}

function arrayOf(path: string, content: string): readonly unknown[] {
  try {
    return JSON.parse(content);
  } catch (error) {
    throw new FileError({ path, reason: `not JSON: ${(error as Error).message}` });
  }
}
