import type { Tokenizer } from "@huggingface/tokenizers";
import { Template } from "@huggingface/jinja";
import { PolicyError } from "../errors.ts";
import type { Chat, Message } from "./chat.ts";
import { Memo } from "./_memo.ts";

/** Stands for an assistant's reply where the template is rendered around it: letters that no text holds by chance. */
const REPLY = "\u2063reply\u2063";
/** Templates that ask for today's date get this one: a run and its resumption must see the same prompt. */
const TODAY = "26 Jul 2024";
/** Takes the clock from a template; the empty expression keeps what follows from being trimmed. */
const NO_CLOCK = `{% macro strftime_now(format) %}${TODAY}{% endmacro %}{{ '' }}`;

/** Texts whose ids are kept at hand, and the longest reply (in ids) whose text is. */
const REMEMBERED = 8192;
const SHORT = 32;

/** Parses a chat template. Throws SyntaxError. */
export function parseTemplate(source: string): Template {
  return new Template(source.includes("strftime_now") ? NO_CLOCK + source : source);
}

/** What a {@link TemplateChat} is made of. */
export interface TemplateChatParts {
  readonly tokenizer: Tokenizer;
  readonly vocabularySize: number;
  readonly template: Template;
  readonly bosToken: string | undefined;
  readonly eosToken: string | undefined;
  readonly stopIds: readonly number[];
  readonly unknownToken?: string | undefined;
}

/** {@link Chat} over a tokenizer and a chat template. */
export class TemplateChat implements Chat {
  readonly vocabularySize: number;
  readonly stopIds: ReadonlySet<number>;
  readonly specialTokens: readonly string[];
  readonly unknownId?: number;
  readonly #parts: TemplateChatParts;
  // The attempts of a group hear the same texts over and over.
  readonly #opened = new Memo<readonly number[]>(REMEMBERED);
  readonly #extensions = new Memo<readonly number[]>(REMEMBERED);
  readonly #replies = new Memo<string>(REMEMBERED);

  constructor(parts: TemplateChatParts) {
    this.#parts = parts;
    this.vocabularySize = parts.vocabularySize;
    const { unknownToken, tokenizer } = parts;
    const unknownId = unknownToken === undefined ? undefined : tokenizer.token_to_id(unknownToken);
    if (unknownId !== undefined) this.unknownId = unknownId;
    const stopIds = new Set(parts.stopIds);
    // The marker that the template writes after a reply ends a turn, whatever eos_token says.
    const marker = this.encode(this.#after("b"))[0];
    if (parts.tokenizer.get_added_tokens_decoder().get(marker)?.special) stopIds.add(marker);
    this.stopIds = stopIds;
    this.specialTokens = [...parts.tokenizer.get_added_tokens_decoder().values()]
      .filter(({ special }) => special).map(({ content }) => content);
  }

  open(messages: readonly Message[]): number[] {
    if (messages.length === 0 || messages.some((m, i) => m.role === "system" && i > 0)) {
      throw new PolicyError({
        operation: "open a conversation",
        reason: `roles [${messages.map((m) => m.role)}]: need at least one message, system only as the first`,
      });
    }
    return [...this.#opened.get(JSON.stringify(messages), () => this.encode(this.#render(messages, true)))];
  }

  extend(user: string, ended: boolean): number[] {
    const ids = this.#extensions.get(user, () => this.encode(this.#after(user)));
    return ids.slice(ended && this.stopIds.has(ids[0]) ? 1 : 0);
  }

  encode(text: string): number[] {
    if (text === "") return [];
    return this.#parts.tokenizer.encode(text, { add_special_tokens: false }).ids;
  }

  decode(ids: readonly number[], skipSpecial = false): string {
    if (ids.length > SHORT) return this.#decode(ids, skipSpecial);
    return this.#replies.get(`${skipSpecial} ${ids}`, () => this.#decode(ids, skipSpecial));
  }

  #decode(ids: readonly number[], skipSpecial: boolean): string {
    const { tokenizer } = this.#parts;
    // A model's vocabulary may be padded beyond the tokenizer's: such ids have no text.
    const known = ids.filter((id) => tokenizer.id_to_token(id) !== undefined);
    if (known.length === 0) return "";
    return tokenizer.decode(known, {
      skip_special_tokens: skipSpecial,
      clean_up_tokenization_spaces: false,
    });
  }

  token(id: number): string {
    return this.decode([id]);
  }

  /** What makes the template unfit for append-only conversations, if anything. */
  fault(expectsBos: boolean): string | undefined {
    const { bosToken, tokenizer } = this.#parts;
    const user: Message = { role: "user", content: "a" };
    const first = this.open([user]);
    if (first.length === 0) return "renders nothing";
    const bos = bosToken === undefined ? undefined : tokenizer.token_to_id(bosToken);
    if (bos !== undefined) {
      if (first[0] === bos && first[1] === bos) return `writes the BOS token ${bosToken} twice`;
      if (expectsBos && first[0] !== bos) {
        return `writes no BOS token ${bosToken}, though add_bos_token is true`;
      }
    }
    const opened = this.#render([user], true);
    for (const reply of [REPLY, `<think>${REPLY}</think>${REPLY}`]) {
      const assistant: Message = { role: "assistant", content: reply };
      const full = this.#render([user, assistant, { role: "user", content: "b" }], true);
      if (!full.startsWith(opened + reply)) {
        return "drops or rewrites earlier turns, so a conversation cannot grow by appending " +
          `(${JSON.stringify(full)} does not start with ${JSON.stringify(opened + reply)})`;
      }
    }
    return undefined;
  }

  /** The rendered text between a reply and the next one. */
  #after(user: string): string {
    const text = this.#render([
      { role: "user", content: "a" },
      { role: "assistant", content: REPLY },
      { role: "user", content: user },
    ], true);
    const at = text.indexOf(REPLY);
    if (at < 0) {
      throw new PolicyError({
        operation: "extend a conversation",
        reason: "the template drops earlier turns",
      });
    }
    return text.slice(at + REPLY.length);
  }

  #render(messages: readonly Message[], generate: boolean): string {
    const { template, bosToken, eosToken } = this.#parts;
    try {
      return template.render({
        messages,
        add_generation_prompt: generate,
        date_string: TODAY,
        ...(bosToken === undefined ? {} : { bos_token: bosToken }),
        ...(eosToken === undefined ? {} : { eos_token: eosToken }),
      });
    } catch (error) {
      throw new PolicyError({
        operation: "render the chat template",
        reason: error instanceof Error ? error.message : String(error),
      });
    }
  }
}
