import { type Row, RowFault } from "../../envs/rows/row.ts";
import { type Conversation, conversation, messagesOf, promptOf } from "./conversation.ts";

/** A preferred and a rejected answer to one prompt. */
export interface Preference {
  readonly chosen: Conversation;
  readonly rejected: Conversation;
}

/**
 * A row of preferences: `{"prompt", "chosen", "rejected"}`, each a text or messages; what
 * follows the prompt is compared. @throws RowFault
 */
export function preferenceRow(row: Row): Preference {
  const prompt = promptOf(row);
  const side = (field: "chosen" | "rejected") =>
    conversation([...prompt, ...messagesOf(row, field, "assistant")], prompt.length, field);
  const pair = { chosen: side("chosen"), rejected: side("rejected") };
  if (JSON.stringify(pair.chosen) === JSON.stringify(pair.rejected)) {
    throw new RowFault("rejected", "is the same as chosen");
  }
  return pair;
}
