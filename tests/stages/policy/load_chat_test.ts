import { assert, assertEquals, assertMatch, assertStringIncludes, assertThrows } from "@std/assert";
import fc from "fast-check";
import { Effect } from "effect";
import { FileError, PolicyError } from "../../../stages/errors.ts";
import { loadChat } from "../../../stages/policy/load_chat.ts";
import { makeChat } from "../../../stages/policy/make_chat.ts";
import type { Message } from "../../../stages/policy/chat.ts";
import { byteTokenizer, chatMl } from "./_byte_tokenizer.ts";

const config = { bos_token: null, eos_token: "<|im_end|>", chat_template: chatMl };
const chat = makeChat({ tokenizer: byteTokenizer(), tokenizerConfig: config });
const fileError = (tokenizerConfig: Record<string, unknown>, tokenizer = byteTokenizer()) =>
  assertThrows(() => makeChat({ tokenizer, tokenizerConfig }, "m"), FileError);

Deno.test("open and extend append to the very ids of the full rendering", () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: "binary" }), { minLength: 1, maxLength: 4 }),
      fc.string(),
      (users, reply) => {
        const messages: Message[] = [{ role: "system", content: "s" }, { role: "user", content: users[0] }];
        const ids = chat.open(messages);
        for (const user of users.slice(1)) {
          ids.push(...chat.encode(reply), 302, ...chat.extend(user, true));
          messages.push({ role: "assistant", content: reply }, { role: "user", content: user });
        }
        assertEquals(ids, chat.open(messages));
      },
    ),
  );
});

Deno.test("the end marker is written once whether or not it was sampled", () => {
  assertEquals(chat.extend("x", false), [302, ...chat.extend("x", true)]);
  assertStringIncludes(chat.decode(chat.extend("x", true)), "\n<|im_start|>user\nx<|im_end|>\n");
});

Deno.test("stop ids: eos_token, every eos_token_id, and the marker that ends a turn", () => {
  const made = (eos: string, generation: unknown) =>
    makeChat({
      tokenizer: byteTokenizer(),
      tokenizerConfig: { ...config, eos_token: { content: eos } },
      generationConfig: { eos_token_id: generation },
    });
  assertEquals([...made("<|endoftext|>", 301).stopIds].sort(), [300, 301, 302]);
  assertEquals([...made("<|im_end|>", [300, 302]).stopIds].sort(), [300, 302]);
});

Deno.test("BOS is written by the template alone, and exactly once", () => {
  const bos = { ...config, bos_token: "<s>" };
  const once = makeChat({
    tokenizer: byteTokenizer(),
    tokenizerConfig: { ...bos, chat_template: "{{ bos_token }}" + chatMl, add_bos_token: true },
  });
  assertEquals(once.open([{ role: "user", content: "a" }]).slice(0, 2), [303, 301]);
  // A tokenizer that would add one itself is not asked to.
  const adding = {
    ...byteTokenizer(),
    post_processor: {
      type: "TemplateProcessing",
      single: [{ SpecialToken: { id: "<s>", type_id: 0 } }, { Sequence: { id: "A", type_id: 0 } }],
      pair: [],
      special_tokens: { "<s>": { id: "<s>", ids: [303], tokens: ["<s>"] } },
    },
  };
  const double = makeChat({ tokenizer: adding, tokenizerConfig: { ...bos, chat_template: "<s>" + chatMl } });
  assertEquals(double.open([{ role: "user", content: "a" }]).slice(0, 2), [303, 301]);
  assertEquals(double.encode("a"), [97]);
  assertMatch(
    fileError({ ...bos, chat_template: "{{ bos_token }}<s>" + chatMl }).message,
    /BOS token <s> twice/,
  );
  assertMatch(fileError({ ...bos, add_bos_token: true }).message, /writes no BOS token <s>/);
});

Deno.test("a template that drops or rewrites earlier turns is refused", () => {
  const lastOnly = "{{ '<|im_start|>' + messages[-1]['content'] + '<|im_end|>' }}";
  assertMatch(fileError({ ...config, chat_template: lastOnly }).message, /drops .*earlier turns/);
  // Qwen3's rule: thoughts of past turns are cut.
  const noThoughts = chatMl.replace("message['content']", "message['content'].split('</think>')[-1]");
  assertMatch(fileError({ ...config, chat_template: noThoughts }).message, /drops or rewrites earlier turns/);
});

Deno.test("each fault names its file and field", () => {
  assertEquals(fileError({ eos_token: "<|im_end|>" }).path, "m/tokenizer_config.json");
  assertMatch(fileError({ eos_token: "<|im_end|>" }).message, /chat_template is missing/);
  assertMatch(fileError({ ...config, chat_template: "{% for %}" }).message, /chat_template does not parse/);
  assertMatch(
    fileError({ ...config, chat_template: "{{ raise_exception('no') }}" }).message,
    /chat_template.*no/,
  );
  assertMatch(
    fileError(config, {} as Record<string, unknown>).message,
    /m\/tokenizer.json: field model.vocab/,
  );
  const misfit = assertThrows(
    () => makeChat({ tokenizer: byteTokenizer(), tokenizerConfig: config, modelConfig: { vocab_size: 303 } }),
    FileError,
  );
  assertMatch(misfit.message, /tokenizer.json: token id 303 .*vocab_size 303 of config.json/);
});

Deno.test("an eos_token that the tokenizer does not know, and a vocabulary that is no table, are refused", () => {
  const unknown = fileError({ ...config, eos_token: "<|nope|>" });
  assertEquals(unknown.path, "m/tokenizer_config.json");
  assertStringIncludes(unknown.reason, 'eos_token "<|nope|>" is no token');
  for (const vocab of ["x", null, 5]) {
    const tokenizer = byteTokenizer();
    const broken = { ...tokenizer, model: { ...tokenizer.model as Record<string, unknown>, vocab } };
    assertStringIncludes(
      fileError(config, broken as typeof tokenizer).message,
      "m/tokenizer.json: field model.vocab",
    );
  }
});

Deno.test("a list of templates gives the default one", () => {
  const list = [{ name: "tool_use", template: "x" }, { name: "default", template: chatMl }];
  const made = makeChat({ tokenizer: byteTokenizer(), tokenizerConfig: { ...config, chat_template: list } });
  assertEquals(made.open([{ role: "user", content: "a" }]), chat.open([{ role: "user", content: "a" }]));
});

Deno.test("a template's clock stands still", () => {
  const dated = "{{ strftime_now('%d %b %Y') }}" + chatMl;
  const made = makeChat({ tokenizer: byteTokenizer(), tokenizerConfig: { ...config, chat_template: dated } });
  assertMatch(made.decode(made.open([{ role: "user", content: "a" }])), /^26 Jul 2024<\|im_start\|>user/);
});

Deno.test("a prompt that the template refuses, or none, is a PolicyError", () => {
  assertThrows(() => chat.open([]), PolicyError, "at least one message");
  assertThrows(
    () => chat.open([{ role: "user", content: "a" }, { role: "system", content: "b" }]),
    PolicyError,
    "system only as the first",
  );
});

Deno.test("part of a code point, ids without text and no ids at all decode without throwing", () => {
  const wave = chat.encode("👋");
  assertEquals(wave.length, 4);
  assertEquals(chat.decode(wave), "👋");
  chat.decode(wave.slice(0, 1));
  chat.decode(wave.slice(2));
  assertEquals(chat.decode([]), "");
  assertEquals(chat.decode([4000, 65]), chat.decode([65]));
  assertEquals(chat.decode([301, 64, 302], true), chat.decode([64]));
  assertEquals(chat.token(302), "<|im_end|>");
});

Deno.test("decode after encode is the identity on text, though not on ids", () => {
  const merged = makeChat({ tokenizer: byteTokenizer([["a", "b"]]), tokenizerConfig: config });
  const [a, b, ab] = [merged.encode("a")[0], merged.encode("b")[0], 256];
  assertEquals(merged.encode("ab"), [ab]);
  assertEquals(merged.decode([a, b]), merged.decode([ab]));
  fc.assert(fc.property(fc.string({ unit: "grapheme" }), (text) => {
    assertEquals(merged.decode(merged.encode(text)), text);
  }));
});

Deno.test("loadChat reads a folder and names the file that is missing or malformed", async () => {
  const folder = await Deno.makeTempDir();
  const put = (name: string, value: unknown) =>
    Deno.writeTextFileSync(`${folder}/${name}`, JSON.stringify(value));
  const failure = () => Effect.runPromise(Effect.flip(loadChat(folder)));
  try {
    assertMatch((await failure()).message, /tokenizer_config.json: no such file/);
    put("tokenizer_config.json", { chat_template: chatMl });
    put("special_tokens_map.json", { eos_token: "<|im_end|>" });
    assertMatch((await failure()).message, /tokenizer.json: no such file/);
    Deno.writeTextFileSync(`${folder}/tokenizer.json`, '{"model": ');
    assertMatch((await failure()).message, /tokenizer.json: no JSON/);
    put("tokenizer.json", byteTokenizer());
    put("generation_config.json", { eos_token_id: [300] });
    const loaded = await Effect.runPromise(loadChat(folder));
    assertEquals([...loaded.stopIds].sort(), [300, 302]);
    assertEquals(loaded.vocabularySize, 304);
    put("config.json", { vocab_size: 10 });
    assertMatch((await failure()).message, /vocab_size 10/);
    Deno.removeSync(`${folder}/config.json`);
    Deno.writeTextFileSync(`${folder}/chat_template.jinja`, "<s>" + chatMl);
    assert((await Effect.runPromise(loadChat(folder))).open([{ role: "user", content: "a" }])[0] === 303);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
