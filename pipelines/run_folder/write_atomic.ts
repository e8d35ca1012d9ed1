/** Writes `text` to a temporary name, syncs it and renames it: readers see the old file or the new one, whole. */
export function writeAtomic(path: string, text: string): void {
  const temporary = `${path}.tmp`;
  const file = Deno.openSync(temporary, { write: true, create: true, truncate: true });
  try {
    writeAll(file, new TextEncoder().encode(text));
    file.syncSync();
  } finally {
    file.close();
  }
  Deno.renameSync(temporary, path);
  syncFolder(path.replace(/[^/]*$/, "") || ".");
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
