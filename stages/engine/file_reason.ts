/** Why file work failed, in words that say what to do where that is known. */
export function fileReason(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string };
  if (code === "ENOSPC" || code === "EDQUOT") return "the disk is full; free some space and try again";
  if (code === "EROFS") return "the file system is read-only";
  if (error instanceof Deno.errors.NotFound) return "does not exist";
  if (error instanceof Deno.errors.PermissionDenied) return "permission denied by the file system";
  if (error instanceof Deno.errors.NotCapable) return `not allowed by Deno's permissions (${message})`;
  return message ?? String(error);
}
