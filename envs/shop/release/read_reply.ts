/** What stands in for the action of a reply without the two tags; no command is like it. */
export const badReply = "Invalid response format, missing valid <think> or <action> tags, please ensure to " +
  "follow the output format strictly: <think>...</think> <action>...</action>";

/**
 * The action of a reply: what stands in `<action>` after a closed `<think>`, as the R³L
 * authors' `parse_response` finds it; {@link badReply} if there is none.
 */
export function readReply(reply: string): string {
  let at = 0;
  let from = 0;
  for (const tag of ["<think>", "</think>", "<action>", "</action>"]) {
    const found = reply.indexOf(tag, at);
    if (found < 0) return badReply;
    if (tag === "</action>") return reply.slice(from, found).trim();
    at = from = found + tag.length;
  }
  return badReply;
}
