import { writeAll } from "./write_atomic.ts";

/** Appends one line of JSON; a write that fails half-way is taken back before it throws. */
export function appendLine(path: string, value: unknown): void {
  using file = Deno.openSync(path, { append: true, create: true });
  const { size } = file.statSync();
  try {
    writeAll(file, new TextEncoder().encode(JSON.stringify(value) + "\n"));
  } catch (error) {
    if (file.statSync().isFile) file.truncateSync(size);
    throw error;
  }
}
