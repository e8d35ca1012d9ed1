import { removeQuietly } from "../../stages/engine/write_file_atomic.ts";

/**
 * Writes `text` to a temporary name, syncs it and renames it: readers see the old file or
 * the new one, whole. A write that fails leaves no temporary file.
 */
export function writeAtomic(path: string, text: string): void {
  const temporary = `${path}.tmp`;
  try {
    {
      using file = Deno.openSync(temporary, { write: true, create: true, truncate: true });
      writeAll(file, new TextEncoder().encode(text));
      file.syncSync();
    }
    Deno.renameSync(temporary, path);
  } catch (error) {
    removeQuietly(temporary);
    throw error;
  }
  syncFolder(folderOf(path));
}

/** The folder that a file is in. */
export function folderOf(path: string): string {
  return path.replace(/[^/]*$/, "") || ".";
}

/** Writes every byte, however many calls it takes. */
export function writeAll(file: Deno.FsFile, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length;) done += file.writeSync(bytes.subarray(done));
}

/** Makes renames in a folder durable, where the system can open folders. */
export function syncFolder(folder: string): void {
  try {
    using file = Deno.openSync(folder);
    file.syncSync();
  } catch (error) {
    // Windows cannot open a folder; the rename itself is still atomic there.
    if (Deno.build.os !== "windows") throw error;
  }
}
