import { FileError } from "../../errors.ts";
import type { GgufHeader } from "./decode_gguf_header.ts";
import { sentencePiece } from "./sentence_piece.ts";

/** The two tokenizer files of a Hugging Face folder, as objects. */
export interface TokenizerFiles {
  /** tokenizer.json */
  readonly tokenizer: Readonly<Record<string, unknown>>;
  /** tokenizer_config.json */
  readonly tokenizerConfig: Readonly<Record<string, unknown>>;
}

const CONTRACTIONS = "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|";
const REST = "| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";

const byteLevel = (use_regex: boolean) => ({
  type: "ByteLevel",
  add_prefix_space: false,
  trim_offsets: true,
  use_regex,
});
const split = (digits: string) => ({
  type: "Split",
  pattern: { Regex: CONTRACTIONS + digits + REST },
  behavior: "Isolated",
  invert: false,
});

/** How text is split before byte-pair merges, by `tokenizer.ggml.pre`. */
const splitters: Readonly<Record<string, readonly object[]>> = {
  "gpt-2": [byteLevel(true)],
  smollm: [{ type: "Digits", individual_digits: true }, byteLevel(true)],
  qwen2: [split("\\p{N}"), byteLevel(false)],
  "llama-bpe": [split("\\p{N}{1,3}"), byteLevel(false)],
};

/** `tokenizer.ggml.token_type`: what stands for unknown text, control tokens, and texts that are one token wherever they occur. */
const UNKNOWN = 2;
const CONTROL = 3;
const USER_DEFINED = 4;
const ADDED: readonly number[] = [UNKNOWN, CONTROL, USER_DEFINED];

/** Special tokens of Phi-3 that the space after them does not belong to. */
const PHI3_EXACT: readonly string[] = ["<s>", "<|endoftext|>"];

/**
 * Rebuilds the tokenizer of a GGUF file: byte-level BPE (`tokenizer.ggml.model` =
 * `gpt2`) with a known way of splitting, or SentencePiece's BPE (`llama`).
 *
 * @throws {FileError} naming the file and the key: another kind of tokenizer, a
 * missing chat template, lists that do not fit together.
 */
export function ggufTokenizer({ metadata }: GgufHeader, path: string): TokenizerFiles {
  const fail = (key: string, reason: string): never => {
    throw new FileError({ path, reason: `${key} ${reason}` });
  };
  const list = <T>(key: string, type: string): readonly T[] => {
    const value = metadata.get(key);
    if (!Array.isArray(value)) return fail(key, value === undefined ? "is missing" : "is no list");
    const types = value.map((x) => typeof x as string);
    const foreign = types.findIndex((found) => found !== type);
    return foreign < 0 ? value : fail(key, `holds ${JSON.stringify(value[foreign])}, expected ${type}s`);
  };
  const model = metadata.get("tokenizer.ggml.model");
  if (model !== "gpt2" && model !== "llama") {
    const advice = "or the file as model.gguf beside its tokenizer.json";
    fail("tokenizer.ggml.model", `is ${JSON.stringify(model)}, expected "gpt2" or "llama", ${advice}`);
  }
  const tokens = list<string>("tokenizer.ggml.tokens", "string");
  const perToken = (key: string) => {
    const values = list<number>(key, "number");
    if (values.length === tokens.length) return values;
    return fail(key, `has ${values.length} entries, the vocabulary ${tokens.length}`);
  };
  const types = perToken("tokenizer.ggml.token_type");
  // Of Phi-3 the space after a special token belongs to it, which the types do not tell.
  const trims = (content: string) =>
    metadata.get("general.architecture") === "phi3" && !PHI3_EXACT.includes(content);
  const added = tokens.map((content, id) => ({ id, content, type: types[id] }))
    .filter(({ type }) => ADDED.includes(type))
    .map(({ id, content, type }) => ({
      ...{ id, content, single_word: false, lstrip: false, normalized: false },
      rstrip: type === CONTROL && trims(content),
      special: type !== USER_DEFINED,
    }));
  const template = metadata.get("tokenizer.chat_template");
  if (typeof template !== "string") fail("tokenizer.chat_template", "is missing");
  const special = (key: string, name = key): object => {
    const id = metadata.get(`tokenizer.ggml.${key}_token_id`);
    return typeof id === "number" && id in tokens ? { [`${name}_token`]: tokens[id] } : {};
  };
  const byteLevelParts = () => {
    const pre = metadata.get("tokenizer.ggml.pre");
    if (typeof pre === "string" && Object.hasOwn(splitters, pre)) {
      return byteLevelBpe(tokens, list<string>("tokenizer.ggml.merges", "string"), pre);
    }
    const known = Object.keys(splitters).join(", ");
    return fail("tokenizer.ggml.pre", `is ${JSON.stringify(pre)}, expected one of ${known}`);
  };
  const sentencePieceParts = () =>
    sentencePiece({
      tokens,
      types,
      scores: perToken("tokenizer.ggml.scores"),
      unknownId: Number(metadata.get("tokenizer.ggml.unknown_token_id") ?? 0),
      spacePrefix: metadata.get("tokenizer.ggml.add_space_prefix") !== false,
    });
  return {
    tokenizer: {
      version: "1.0",
      truncation: null,
      padding: null,
      added_tokens: added,
      ...(model === "llama" ? sentencePieceParts() : byteLevelParts()),
    },
    tokenizerConfig: {
      tokenizer_class: "PreTrainedTokenizerFast",
      ...special("bos"),
      ...special("eos"),
      ...special("unknown", "unk"),
      ...special("padding", "pad"),
      add_bos_token: metadata.get("tokenizer.ggml.add_bos_token") === true,
      clean_up_tokenization_spaces: false,
      chat_template: template,
    },
  };
}

/** The parts of tokenizer.json that make byte-level pieces of text that is split as `pre` says. */
function byteLevelBpe(tokens: readonly string[], merges: readonly string[], pre: string) {
  return {
    normalizer: pre === "qwen2" ? { type: "NFC" } : null,
    pre_tokenizer: { type: "Sequence", pretokenizers: splitters[pre] },
    post_processor: null,
    decoder: { ...byteLevel(true), add_prefix_space: true },
    model: {
      type: "BPE",
      dropout: null,
      unk_token: null,
      continuing_subword_prefix: null,
      end_of_word_suffix: null,
      fuse_unk: false,
      byte_fallback: false,
      // As in the original: a whole word of the vocabulary needs no merges.
      ignore_merges: pre === "llama-bpe",
      vocab: Object.fromEntries(tokens.map((token, id) => [token, id])),
      merges,
    },
  };
}
