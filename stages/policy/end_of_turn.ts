import { PolicyError } from "../errors.ts";
import type { Chat } from "./chat.ts";

/** The id that ends an assistant turn: the template's marker, else the first stop id. PolicyError if there is none. */
export function endOfTurn(chat: Chat): number {
  const [marker] = chat.extend("", false);
  if (chat.stopIds.has(marker)) return marker;
  const [id] = chat.stopIds;
  if (id !== undefined) return id;
  throw new PolicyError({
    operation: "end an assistant turn",
    reason: "the tokenizer has no end-of-turn id",
  });
}
