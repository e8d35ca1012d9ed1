/** What a reply says: an action, or what is wrong with its form. */
export type ReleaseReply = { readonly action: string } | { readonly fault: string };

const advice = "please ensure to follow the output format strictly: <think>...</think> <action>...</action>";

/**
 * Reads a reply with exactly one `<think>` and one `<action>`, in any order, as the R³L
 * authors' `parse_response` does; the faults are in its words.
 */
export function readReply(reply: string): ReleaseReply {
  const thoughts = all(reply, "think");
  const actions = all(reply, "action");
  for (const [tag, found] of [["think", thoughts], ["action", actions]] as const) {
    if (found.length < 2) continue;
    return {
      fault: `Multiple <${tag}> tags found (${found.length}). Only one <${tag}></${tag}> pair is allowed.`,
    };
  }
  if (thoughts.length === 0 || actions.length === 0) {
    const missing = thoughts.length > 0
      ? "<action> tag"
      : actions.length > 0
      ? "<think> tag"
      : "<think> or <action> tags";
    return { fault: `Invalid response format, missing valid ${missing}, ${advice}` };
  }
  return { action: actions[0] };
}

/** Whether an action is a fault of {@link readReply}: no command begins so. */
export function isFault(action: string): boolean {
  return /^(Invalid response format, missing valid |Multiple <(think|action)> tags found )/.test(action);
}

/** Trimmed contents of every pair of tags, leftmost and shortest first. */
function all(reply: string, tag: string): readonly string[] {
  const found: string[] = [];
  const [opening, closing] = [`<${tag}>`, `</${tag}>`];
  for (let at = 0;;) {
    const from = reply.indexOf(opening, at);
    const to = from < 0 ? -1 : reply.indexOf(closing, from + opening.length);
    if (to < 0) return found;
    found.push(reply.slice(from + opening.length, to).trim());
    at = to + closing.length;
  }
}
