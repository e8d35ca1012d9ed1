import { createHash } from "node:crypto";
import { dirname, resolve } from "node:path";
import { FileError } from "../../stages/errors.ts";

/** The simulator's jar. */
export interface Jar {
  /** Absolute. */
  readonly path: string;
  /** First 16 hexadecimal digits of its SHA-256. */
  readonly hash: string;
}

/** Where the jar is looked for when no path is given. */
const variable = "SCIENCEWORLD_JAR";

/** A file that the simulator reads from the folder that it runs in. */
const companion = "object_type_ids.tsv";

/**
 * The jar at `path`, or where `SCIENCEWORLD_JAR` says.
 *
 * @throws FileError if there is none, or the file that it needs is not beside it.
 */
export async function findJar(path: string | null): Promise<Jar> {
  const given = path ?? await fromEnvironment();
  if (given === undefined) {
    throw new FileError({
      path: "scienceworld.jar",
      reason: `not found: give data.scienceworld.jar or set ${variable}`,
    });
  }
  const jar = resolve(given);
  let bytes: Uint8Array;
  try {
    bytes = await Deno.readFile(jar);
  } catch (error) {
    throw new FileError({ path: given, reason: (error as Error).message });
  }
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b) throw new FileError({ path: given, reason: "this is no jar" });
  const needed = `${dirname(jar)}/${companion}`;
  try {
    await Deno.stat(needed);
  } catch {
    throw new FileError({ path: needed, reason: "not found: the simulator needs it beside its jar" });
  }
  return { path: jar, hash: createHash("sha256").update(bytes).digest("hex").slice(0, 16) };
}

async function fromEnvironment(): Promise<string | undefined> {
  const { state } = await Deno.permissions.query({ name: "env", variable });
  return state === "granted" ? Deno.env.get(variable) || undefined : undefined;
}
