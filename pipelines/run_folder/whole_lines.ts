import { FileError } from "../../stages/errors.ts";

/**
 * The JSON objects of a file to which a line at a time is appended; none if there is no
 * file. What stands behind the last newline was torn by a kill and is left out.
 *
 * @throws FileError naming the line that is no JSON object
 */
export function wholeLines(path: string): readonly Readonly<Record<string, unknown>>[] {
  const lines = textIfThere(path).split("\n").slice(0, -1);
  return lines.map((line, i) => {
    const value = parsed(line);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
    throw new FileError({ path, reason: `line ${i + 1} is no JSON object: ${line.slice(0, 60)}` });
  }) as readonly Readonly<Record<string, unknown>>[];
}

function textIfThere(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "";
    throw error;
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
