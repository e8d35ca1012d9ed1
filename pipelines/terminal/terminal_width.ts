/** Columns of the terminal that a stream goes to; undefined if it goes elsewhere. */
export function terminalWidth(stream: { isTerminal(): boolean }): number | undefined {
  if (!stream.isTerminal()) return undefined;
  try {
    // Some terminals say 0.
    return Math.max(20, Deno.consoleSize().columns || 80);
  } catch {
    return 80;
  }
}
