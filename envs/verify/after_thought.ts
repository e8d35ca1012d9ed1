/**
 * The part of a reply that counts: what follows the last `</think>`, or all of it
 * if there is no thought; null if a thought is open at the end (a reply cut short).
 */
export function afterThought(reply: string): string | null {
  const close = reply.lastIndexOf("</think>");
  const rest = close < 0 ? reply : reply.slice(close + "</think>".length);
  return rest.includes("<think>") ? null : rest;
}
