import { FileError } from "../errors.ts";

type JsonObject = Record<string, unknown>;

/** A file of a model folder as text; undefined if it is not there. Throws FileError. */
export function readText(folder: string, name: string): string | undefined {
  try {
    return Deno.readTextFileSync(`${folder}/${name}`);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw new FileError({ path: `${folder}/${name}`, reason: `cannot be read: ${(error as Error).message}` });
  }
}

/** A file of a model folder as a JSON object. Throws FileError, also if it is not there. */
export function readJson(folder: string, name: string): JsonObject {
  const value = readJsonIfThere(folder, name);
  if (value === undefined) throw new FileError({ path: `${folder}/${name}`, reason: "no such file" });
  return value;
}

/** A file of a model folder as a JSON object; undefined if it is not there. Throws FileError. */
export function readJsonIfThere(folder: string, name: string): JsonObject | undefined {
  const path = `${folder}/${name}`;
  const text = readText(folder, name);
  if (text === undefined) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new FileError({ path, reason: `no JSON: ${(error as Error).message}` });
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new FileError({ path, reason: "no JSON object" });
  }
  return value as JsonObject;
}
