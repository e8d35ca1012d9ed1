import { FileError } from "../../stages/errors.ts";
import { writeAtomic } from "./write_atomic.ts";

/**
 * Removes what came after `step` from a file of JSON lines, each with a `step`,
 * and a torn last line. Throws FileError if another line is not JSON.
 */
export function truncateJsonl(path: string, step: number): void {
  const text = readIfThere(path);
  if (text === undefined) return;
  const kept = parseJsonl(path, text).filter((line) => line.step <= step);
  const next = kept.map((line) => line.text + "\n").join("");
  if (next !== text) writeAtomic(path, next);
}

/** A line and the step it belongs to. */
export interface JsonLine {
  readonly text: string;
  readonly step: number;
}

/** The whole lines of `text`; a last line without its newline, or that is no JSON, is dropped as torn. */
export function parseJsonl(path: string, text: string): readonly JsonLine[] {
  const lines = text.split("\n");
  lines.pop();
  return lines.flatMap((line, i) => {
    const step = stepOf(line);
    if (step !== undefined) return [{ text: line, step }];
    if (i === lines.length - 1) return [];
    throw new FileError({ path, reason: `line ${i + 1} is not JSON with a step: ${line.slice(0, 60)}` });
  });
}

function stepOf(line: string): number | undefined {
  try {
    const step = JSON.parse(line)?.step;
    return typeof step === "number" ? step : undefined;
  } catch {
    return undefined;
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return Deno.readTextFileSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
