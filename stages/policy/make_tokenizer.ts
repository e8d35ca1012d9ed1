/** Settings of {@link makeWordTokenizer}. */
export interface WordTokenizerOptions {
  /** Pieces as they stand in the text, a leading space included: `" mug"`, `"mug"`, `"."`, `"\n"`. */
  readonly words?: readonly string[];
  /** Texts whose pieces all become words, in order of first appearance. */
  readonly texts?: readonly string[];
  /** Fixed phrases that are one token each wherever they occur; the longest match from the left wins. */
  readonly phrases?: readonly string[];
  /** Longest sequence, for tokenizer_config.json. Default 1024. */
  readonly maxLength?: number;
}

/** The two files of a word tokenizer, as objects to be written as JSON. */
export interface WordTokenizer {
  readonly tokenizer: Readonly<Record<string, unknown>>;
  readonly tokenizerConfig: Readonly<Record<string, unknown>>;
  /** Number of ids, from 0 without a gap. */
  readonly vocabSize: number;
}

/** Special tokens in the order of their ids. `<act>` is the generation prompt. */
export const wordTokenizerSpecials = ["<pad>", "<s>", "</s>", "<unk>", "<act>"] as const;

/** A word or number carries the space before it; every other character stands alone. */
const WORD_PATTERN = " ?[A-Za-z]+| ?[0-9]+|\\s|[^A-Za-z0-9\\s]";

/**
 * A turn costs two structural tokens: `<act>` between what the world says and
 * the reply, `</s>` after it.
 */
const CHAT_TEMPLATE = "{{ bos_token }}{% for message in messages %}" +
  "{% if message['role'] == 'system' %}{{ message['content'] + '\\n' }}" +
  "{% elif message['role'] == 'user' %}{{ message['content'] }}" +
  "{% else %}{{ '<act>' + message['content'] + eos_token }}{% endif %}" +
  "{% endfor %}{% if add_generation_prompt %}{{ '<act>' }}{% endif %}";

/**
 * Makes a word-level tokenizer in Hugging Face's format for a closed vocabulary.
 *
 * Decoding joins the pieces, and since a piece carries its leading space it
 * gives back any text of known pieces exactly; an unknown piece becomes `<unk>`.
 * Throws RangeError for an empty word or phrase, or one that is a special token.
 *
 * @example
 * ```ts
 * import { makeChat } from "./make_chat.ts";
 * import { makeWordTokenizer } from "./make_tokenizer.ts";
 *
 * const made = makeWordTokenizer({ texts: ["You arrive at shelf 1."], phrases: ["You arrive at"] });
 * const chat = makeChat(made);
 * const ids = chat.encode("You arrive at shelf 1.");
 * console.log(ids.map((id) => chat.token(id))); // [ "You arrive at", " shelf", " 1", "." ]
 * ```
 */
export function makeWordTokenizer(options: WordTokenizerOptions): WordTokenizer {
  const phrases = [...new Set(options.phrases ?? [])];
  const words = new Set(options.words ?? []);
  for (const text of options.texts ?? []) {
    for (const piece of wordPieces(text, phrases)) words.add(piece);
  }
  for (const piece of [...phrases, ...words]) {
    if (piece === "" || (wordTokenizerSpecials as readonly string[]).includes(piece)) {
      throw new RangeError(`Cannot add ${JSON.stringify(piece)} to the vocabulary: empty or a special token`);
    }
  }
  const tokens = [...new Set([...wordTokenizerSpecials, ...phrases, ...words])];
  const ids = new Map(tokens.map((token, id) => [token, id]));
  const added = (content: string, special: boolean) => ({
    id: ids.get(content)!,
    content,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special,
  });
  const tokenizer = {
    version: "1.0",
    truncation: null,
    padding: null,
    added_tokens: [
      ...wordTokenizerSpecials.map((token) => added(token, true)),
      ...phrases.map((phrase) => added(phrase, false)),
    ],
    normalizer: null,
    pre_tokenizer: {
      type: "Split",
      pattern: { Regex: WORD_PATTERN },
      behavior: "Isolated",
      invert: false,
    },
    post_processor: null,
    decoder: { type: "Fuse" },
    model: { type: "WordLevel", vocab: Object.fromEntries(ids), unk_token: "<unk>" },
  };
  const tokenizerConfig = {
    tokenizer_class: "PreTrainedTokenizerFast",
    bos_token: "<s>",
    eos_token: "</s>",
    unk_token: "<unk>",
    pad_token: "<pad>",
    add_bos_token: false,
    clean_up_tokenization_spaces: false,
    model_max_length: options.maxLength ?? 1024,
    chat_template: CHAT_TEMPLATE,
  };
  return { tokenizer, tokenizerConfig, vocabSize: tokens.length };
}

/** The pieces of `text` that are not inside one of `phrases` or a special token. */
export function wordPieces(text: string, phrases: readonly string[] = []): string[] {
  const fixed = [...wordTokenizerSpecials, ...phrases].sort((a, b) => b.length - a.length);
  const splitter = new RegExp(fixed.map(escapeRegExp).join("|"), "gu");
  const pattern = new RegExp(WORD_PATTERN, "gu");
  return text.split(splitter).flatMap((part) => part.match(pattern) ?? []);
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}
