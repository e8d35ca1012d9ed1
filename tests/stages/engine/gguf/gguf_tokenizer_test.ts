import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { ggufTokenizer } from "../../../../stages/engine/gguf/gguf_tokenizer.ts";
import { FileError } from "../../../../stages/errors.ts";
import { makeChat } from "../../../../stages/policy/make_chat.ts";

const folder = "fixtures/tokenizers";
const json = (path: string) => JSON.parse(Deno.readTextFileSync(`${folder}/${path}`));

/** The metadata that conversion to GGUF writes for a tokenizer of Hugging Face. */
function metadataOf(name: string, pre: string): Map<string, unknown> {
  const { model, added_tokens: added } = json(`${name}/tokenizer.json`);
  const config = json(`${name}/tokenizer_config.json`);
  const tokens: string[] = [];
  const types: number[] = [];
  for (const [token, id] of Object.entries<number>(model.vocab)) [tokens[id], types[id]] = [token, 1];
  for (const { id, content, special } of added) [tokens[id], types[id]] = [content, special ? 3 : 4];
  const idOf = (token: unknown) =>
    tokens.indexOf(typeof token === "string" ? token : (token as { content: string })?.content);
  const metadata = new Map<string, unknown>([
    ["tokenizer.ggml.model", "gpt2"],
    ["tokenizer.ggml.pre", pre],
    ["tokenizer.ggml.tokens", tokens],
    ["tokenizer.ggml.token_type", types],
    ["tokenizer.ggml.merges", model.merges.map((m: string | string[]) => Array.isArray(m) ? m.join(" ") : m)],
    ["tokenizer.ggml.eos_token_id", idOf(config.eos_token)],
    ["tokenizer.chat_template", config.chat_template],
  ]);
  if (config.bos_token) metadata.set("tokenizer.ggml.bos_token_id", idOf(config.bos_token));
  return metadata;
}

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

Deno.test("a tokenizer that cannot be rebuilt is refused with its key", () => {
  const refused = (key: string, value?: unknown) => {
    const metadata = metadataOf("smollm2", "smollm");
    if (value === undefined) metadata.delete(key);
    else metadata.set(key, value);
    return assertThrows(() => files(metadata), FileError).message;
  };
  assertMatch(refused("tokenizer.ggml.model", "llama"), /^m\.gguf: tokenizer\.ggml\.model is "llama"/);
  assertMatch(refused("tokenizer.ggml.pre", "tekken"), /pre is "tekken", expected one of gpt-2, smollm,/);
  assertMatch(refused("tokenizer.ggml.tokens"), /tokenizer\.ggml\.tokens is missing/);
  assertMatch(refused("tokenizer.ggml.tokens", ["a", 5]), /tokens holds 5, expected strings/);
  assertMatch(refused("tokenizer.ggml.token_type", [1]), /token_type has 1 entries, the vocabulary \d+/);
  assertMatch(refused("tokenizer.chat_template"), /tokenizer\.chat_template is missing/);
});
