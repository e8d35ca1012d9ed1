import { FileError } from "../../stages/errors.ts";

/** The parts of a `game.tw-pddl` that are needed to play. */
export interface GameFile {
  readonly pddl_domain: string;
  readonly grammar: string;
  readonly pddl_problem: string;
}

const maxBytes = 1 << 24;

/**
 * Checks a decoded game file.
 *
 * @throws FileError that names the missing or wrong field.
 */
export function parseGameFile(json: unknown, source: string): GameFile {
  const fail = (reason: string) => new FileError({ path: source, reason });
  if (typeof json !== "object" || json === null || Array.isArray(json)) {
    throw fail("a game file is a JSON object");
  }
  const record = json as Record<string, unknown>;
  const text = (key: string): string => {
    const value = record[key];
    if (typeof value !== "string" || value === "") throw fail(`field ${key} is no text`);
    return value;
  };
  if (record.solvable === false) throw fail("the game is marked as not solvable");
  return { pddl_domain: text("pddl_domain"), grammar: text("grammar"), pddl_problem: text("pddl_problem") };
}

/**
 * Reads an official `game.tw-pddl`.
 *
 * @throws FileError if it cannot be read, is above 16 MB, truncated or foreign.
 */
export function readGameFile(path: string): GameFile {
  let text: string;
  try {
    const { size } = Deno.statSync(path);
    if (size > maxBytes) throw new Error(`${size} bytes, at most ${maxBytes} are read`);
    text = Deno.readTextFileSync(path);
  } catch (error) {
    throw new FileError({ path, reason: `cannot read the game file: ${(error as Error).message}` });
  }
  return parseGameText(text, path);
}

/** Reads the text of a `game.tw-pddl`. @throws FileError */
export function parseGameText(text: string, source: string): GameFile {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new FileError({
      path: source,
      reason: `the game file is no JSON: ${(error as Error).message}`,
    });
  }
  return parseGameFile(json, source);
}
