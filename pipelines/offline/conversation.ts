import { type Row, RowFault, shown } from "../../envs/rows/row.ts";
import type { Chat, Message } from "../../stages/policy/chat.ts";
import { endOfTurn } from "../../stages/policy/end_of_turn.ts";

/** A conversation that ends with the assistant; its replies from message `from` on are trained. */
export interface Conversation {
  readonly messages: readonly Message[];
  readonly from: number;
}

/**
 * The messages in `field`: a list of `{"role", "content"}`, or a text, which is one
 * message of `role`. @throws RowFault
 */
export function messagesOf(row: Row, field: string, role: Message["role"]): readonly Message[] {
  const value = row[field];
  if (typeof value === "string" && value.trim() !== "") return [{ role, content: value }];
  if (!Array.isArray(value) || value.length === 0) {
    throw new RowFault(field, `expected a text or a list of messages, got ${shown(value)}`);
  }
  return value.map((entry, k): Message => {
    const { role, content } = (entry ?? {}) as Readonly<Record<string, unknown>>;
    if (role !== "system" && role !== "user" && role !== "assistant") {
      throw new RowFault(`${field}[${k}].role`, `expected system, user or assistant, got ${shown(role)}`);
    }
    if (typeof content !== "string" || (role === "assistant" && content.trim() === "")) {
      throw new RowFault(`${field}[${k}].content`, `expected a text, got ${shown(content)}`);
    }
    return { role, content };
  });
}

/** The messages in `field` that ask: the last one is the user's. @throws RowFault */
export function promptOf(row: Row, field = "prompt"): readonly Message[] {
  const messages = messagesOf(row, field, "user");
  const last = messages[messages.length - 1];
  if (last.role === "user") return messages;
  throw new RowFault(field, `expected a user message last, got ${shown(last.role)}`);
}

/** Checks the order of roles: system at most once and first, then user and assistant in turn, assistant last. @throws RowFault */
export function conversation(messages: readonly Message[], from: number, field: string): Conversation {
  const turns = messages[0]?.role === "system" ? messages.slice(1) : messages;
  const inTurn = turns.every(({ role }, k) => role === (k % 2 === 0 ? "user" : "assistant"));
  if (turns.length === 0 || turns.length % 2 !== 0 || !inTurn) {
    throw new RowFault(
      field,
      `expected user and assistant in turn, assistant last, got ${shown(messages.map(({ role }) => role))}`,
    );
  }
  return { messages, from };
}

/**
 * A conversation as token ids, laid out as if it had been played: the template's opening,
 * then reply, end of turn, next message, and so on. `mask` is 1 on the replies that are
 * trained, each with the id that ends it.
 */
export function layOut({ messages, from }: Conversation, chat: Chat) {
  const ids: number[] = [];
  const mask: (0 | 1)[] = [];
  const add = (more: readonly number[], trains: 0 | 1) => {
    for (const id of more) {
      ids.push(id);
      mask.push(trains);
    }
  };
  const first = messages.findIndex(({ role }) => role === "assistant");
  add(chat.open(messages.slice(0, first)), 0);
  messages.slice(first).forEach(({ role, content }, k) => {
    if (role === "user") add(chat.extend(content, true), 0);
    else add([...chat.encode(content), endOfTurn(chat)], first + k >= from ? 1 : 0);
  });
  return { ids, mask };
}
