/** GPT-2's map from bytes to printable characters (its encoder.py, `bytes_to_unicode`). */
export function byteCharacters(): string[] {
  const printable = (b: number) => (b >= 33 && b <= 126) || (b >= 161 && b <= 172) || (b >= 174 && b <= 255);
  let next = 256;
  return Array.from({ length: 256 }, (_, b) => String.fromCharCode(printable(b) ? b : next++));
}

/** A byte-level BPE tokenizer with one merge per pair, and ChatML's special tokens from id 300. */
export function byteTokenizer(merges: readonly [string, string][] = []): Record<string, unknown> {
  const vocab = Object.fromEntries(byteCharacters().map((c, i) => [c, i]));
  merges.forEach(([a, b], i) => vocab[a + b] = 256 + i);
  const special = (id: number, content: string) => ({
    id,
    content,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: true,
  });
  return {
    version: "1.0",
    truncation: null,
    padding: null,
    added_tokens: [
      special(300, "<|endoftext|>"),
      special(301, "<|im_start|>"),
      special(302, "<|im_end|>"),
      special(303, "<s>"),
    ],
    normalizer: null,
    pre_tokenizer: { type: "ByteLevel", add_prefix_space: false, trim_offsets: true, use_regex: true },
    post_processor: null,
    decoder: { type: "ByteLevel", add_prefix_space: true, trim_offsets: true, use_regex: true },
    model: {
      type: "BPE",
      dropout: null,
      unk_token: null,
      continuing_subword_prefix: "",
      end_of_word_suffix: "",
      fuse_unk: false,
      byte_fallback: false,
      vocab,
      merges: merges.map((m) => m.join(" ")),
    },
  };
}

/** ChatML as Qwen2.5 writes it, without tools and without a default system message. */
export const chatMl = "{% for message in messages %}{{'<|im_start|>' + message['role'] + '\\n' + " +
  "message['content'] + '<|im_end|>' + '\\n'}}{% endfor %}" +
  "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}";
