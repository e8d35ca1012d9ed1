/** What an agent wants to do. */
export interface Action {
  readonly name: string;
  /** Lower case. */
  readonly argument: string;
}

/**
 * Reads `name[argument]` from the start of a text by WebShop's greedy pattern
 * `(.+)\[(.+)\]`: up to the last bracket that closes on the first line; what
 * follows is ignored. Null if there is none. Linear in the text's length.
 */
export function parseAction(text: string): Action | null {
  const line = text.split("\n", 1)[0];
  const close = line.lastIndexOf("]");
  const open = close < 3 ? -1 : line.lastIndexOf("[", close - 2);
  if (open < 1) return null;
  return { name: line.slice(0, open), argument: line.slice(open + 1, close).toLowerCase() };
}
