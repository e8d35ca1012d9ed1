import { type Row, RowFault, shown } from "../../envs/rows/row.ts";
import { type Conversation, conversation, messagesOf, promptOf } from "./conversation.ts";

/**
 * A row of demonstrations: `{"messages": [...]}`, whose assistant messages are all
 * trained, or `{"prompt", "completion"}`, whose completion is; both fields hold a text or
 * messages. @throws RowFault
 */
export function demonstrationRow(row: Row): Conversation {
  if (row.messages !== undefined) return conversation(messagesOf(row, "messages", "user"), 0, "messages");
  if (row.prompt === undefined || row.completion === undefined) {
    throw new RowFault(
      "(row)",
      `expected messages, or prompt and completion, got ${shown(Object.keys(row))}`,
    );
  }
  const prompt = promptOf(row);
  const completion = messagesOf(row, "completion", "assistant");
  return conversation([...prompt, ...completion], prompt.length, "completion");
}
