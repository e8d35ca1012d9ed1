/** A chat message; `system` only as the first. */
export interface Message {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
}

/**
 * The tokenizer and the chat template behind one door. Conversations are
 * append-only id lists: `open` starts one, `extend` appends what the environment
 * said after an assistant turn, and nothing is ever rendered twice.
 */
export interface Chat {
  readonly vocabularySize: number;
  /** Ids that end an assistant turn. */
  readonly stopIds: ReadonlySet<number>;
  /** Texts that are read as tokens of the conversation's structure wherever they stand. */
  readonly specialTokens?: readonly string[];
  /** The id that stands for text which the tokenizer does not know, if it has one. */
  readonly unknownId?: number;
  /** Rendered messages with the generation prompt: the ids before the first assistant token. */
  open(messages: readonly Message[]): number[];
  /**
   * The ids between an assistant turn (already in the list) and the next one:
   * the turn's end marker unless `ended` (it was sampled), the user message, the
   * generation prompt.
   */
  extend(user: string, ended: boolean): number[];
  encode(text: string): number[];
  /** Special tokens are kept unless `skipSpecial`. */
  decode(ids: readonly number[], skipSpecial?: boolean): string;
  /** The text of one id, for display. */
  token(id: number): string;
}
