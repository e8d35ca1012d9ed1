import { afterThought } from "../../envs/verify/after_thought.ts";
import type { NegativesConfig } from "../../stages/config/negatives_config.ts";
import type { Chat } from "../../stages/policy/chat.ts";

/** Stands for what was cut out. */
const GAP = "\n[...]\n";

/**
 * The attempt in a form whose prompt has at most `most` tokens, or undefined. `length`
 * gives the tokens of a prompt that shows a text.
 */
export function fitAttempt(
  attempt: string,
  fit: NegativesConfig["fit"],
  most: number,
  length: (shown: string) => number,
  chat: Pick<Chat, "encode" | "decode">,
): string | undefined {
  const isShort = (text: string) => text.trim() !== "" && length(text) <= most;
  if (isShort(attempt)) return attempt;
  if (fit === "filter") return undefined;
  if (fit === "solution_only") {
    const solution = afterThought(attempt)?.trim() ?? "";
    return isShort(solution) ? solution : undefined;
  }
  const ids = chat.encode(attempt);
  let [fits, tooMany] = [0, ids.length];
  // The longest head and tail that fit; text need not encode to as many tokens as it was cut from.
  while (tooMany - fits > 1) {
    const kept = (fits + tooMany) >> 1;
    if (isShort(ends(ids, kept, chat))) fits = kept;
    else tooMany = kept;
  }
  return fits === 0 ? undefined : ends(ids, fits, chat);
}

function ends(ids: readonly number[], kept: number, chat: Pick<Chat, "decode">): string {
  const head = (kept + 1) >> 1;
  const tail = kept - head;
  return chat.decode(ids.slice(0, head)) + GAP + (tail === 0 ? "" : chat.decode(ids.slice(-tail)));
}
