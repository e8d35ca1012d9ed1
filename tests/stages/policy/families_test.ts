import { assertEquals } from "@std/assert";
import { Effect } from "effect";
import type { Message } from "../../../stages/policy/chat.ts";
import { loadChat } from "../../../stages/policy/load_chat.ts";

interface Expected {
  readonly texts: { text: string; ids: number[]; decoded: string }[];
  readonly chats: { messages: Message[]; ids: number[] }[];
}

const root = new URL("../../../fixtures/tokenizers/", import.meta.url).pathname;

for (const name of ["qwen2", "llama3", "smollm2", "phi3"]) {
  const { texts, chats }: Expected = JSON.parse(Deno.readTextFileSync(`${root}${name}/expected.json`));
  const chat = Effect.runPromise(loadChat(`${root}${name}`));

  for (const { text, ids, decoded } of texts) {
    Deno.test(`${name} encodes and decodes ${JSON.stringify(text)} like the original`, async () => {
      const { encode, decode } = await chat.then((c) => ({
        encode: (t: string) => c.encode(t),
        decode: (i: number[]) => c.decode(i),
      }));
      assertEquals(encode(text), ids);
      assertEquals(decode(ids), decoded);
    });
  }

  Deno.test(`${name} renders conversations like the original`, async () => {
    const made = await chat;
    for (const { messages, ids } of chats) assertEquals(made.open(messages), ids);
  });
}
