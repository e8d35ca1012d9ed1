import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { ggufTokenizer } from "../../../../stages/engine/gguf/gguf_tokenizer.ts";
import { FileError } from "../../../../stages/errors.ts";
import { makeChat } from "../../../../stages/policy/make_chat.ts";
import { json, metadataOf, pieceMetadataOf } from "./_metadata.ts";

const files = (metadata: ReadonlyMap<string, unknown>) =>
  ggufTokenizer({ metadata, entries: [], start: 0 }, "m.gguf");

for (const [name, pre] of [["smollm2", "smollm"], ["qwen2", "qwen2"], ["llama3", "llama-bpe"]]) {
  Deno.test(`${name}: the tokenizer rebuilt from metadata gives transformers' ids`, () => {
    const chat = makeChat(files(metadataOf(name, pre)));
    const { texts, chats } = json(`${name}/expected.json`);
    for (const { text, ids, decoded } of texts) {
      assertEquals(chat.encode(text), ids);
      assertEquals(chat.decode(ids), decoded);
    }
    for (const { messages, ids } of chats) assertEquals(chat.open(messages), ids);
  });
}

Deno.test("phi3: the tokenizer rebuilt from pieces and scores gives transformers' ids", () => {
  const made = files(pieceMetadataOf("phi3"));
  const chat = makeChat(made);
  const { texts, chats } = json("phi3/expected.json");
  for (const { text, ids, decoded } of texts) {
    assertEquals(chat.encode(text), ids, text);
    assertEquals(chat.decode(ids), decoded);
  }
  for (const { messages, ids } of chats) assertEquals(chat.open(messages), ids);
  assertEquals(made.tokenizer.added_tokens, json("phi3/tokenizer.json").added_tokens);
});

Deno.test("a tokenizer rebuilt from pieces and scores gives SentencePiece's ids and transformers' merges", () => {
  const { metadata, texts, merges } = json("sentencepiece/expected.json");
  const template = "{{ bos_token }}{% for m in messages %}{{ m.content }}{{ eos_token }}{% endfor %}";
  const made = files(new Map([...Object.entries(metadata), ["tokenizer.chat_template", template]]));
  assertEquals((made.tokenizer.model as { merges: unknown }).merges, merges);
  const chat = makeChat(made);
  let compared = 0;
  for (const { text, ids, decoded } of texts) {
    // What looks like a special token is one here, and text to SentencePiece.
    if (text.includes("<s>")) continue;
    assertEquals(chat.encode(text), ids, text);
    assertEquals(chat.decode(ids), decoded);
    compared++;
  }
  assertEquals(compared, texts.length - 1);
});

Deno.test("a tokenizer that cannot be rebuilt is refused with its key", () => {
  const refused = (key: string, value?: unknown) => {
    const metadata = metadataOf("smollm2", "smollm");
    if (value === undefined) metadata.delete(key);
    else metadata.set(key, value);
    return assertThrows(() => files(metadata), FileError).message;
  };
  assertMatch(
    refused("tokenizer.ggml.model", "t5"),
    /^m\.gguf: tokenizer\.ggml\.model is "t5", expected "gpt2" or/,
  );
  assertMatch(refused("tokenizer.ggml.model", "llama"), /^m\.gguf: tokenizer\.ggml\.scores is missing/);
  assertMatch(refused("tokenizer.ggml.pre", "tekken"), /pre is "tekken", expected one of gpt-2, smollm,/);
  assertMatch(refused("tokenizer.ggml.tokens"), /tokenizer\.ggml\.tokens is missing/);
  assertMatch(refused("tokenizer.ggml.tokens", ["a", 5]), /tokens holds 5, expected strings/);
  assertMatch(refused("tokenizer.ggml.token_type", [1]), /token_type has 1 entries, the vocabulary \d+/);
  assertMatch(refused("tokenizer.chat_template"), /tokenizer\.chat_template is missing/);
});
