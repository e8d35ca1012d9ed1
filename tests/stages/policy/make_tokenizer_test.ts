import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { makeChat } from "../../../stages/policy/make_chat.ts";
import {
  makeWordTokenizer,
  wordPieces,
  wordTokenizerSpecials,
} from "../../../stages/policy/make_tokenizer.ts";

const phrases = [
  "You arrive at",
  ". The",
  "Nothing happens.",
  '{"trajectory_summary":"',
  '","retry_from_step"',
  ":3",
];
const words = [" mug", "mug", " 12", " shelf", ".", ",", "\n", " ", "shelf", " the", '"', "take", " take"];
const { tokenizer, tokenizerConfig, vocabSize } = makeWordTokenizer({ words, phrases });
const chat = makeChat({ tokenizer, tokenizerConfig, modelConfig: { vocab_size: vocabSize } });

Deno.test("a word carries its leading space, a phrase is one token", () => {
  assertEquals(wordPieces(" take the mug 12."), [" take", " the", " mug", " 12", "."]);
  const ids = chat.encode("You arrive at shelf 12. The mug");
  assertEquals(ids.map((id) => chat.token(id)), ["You arrive at", " shelf", " 12", ". The", " mug"]);
});

Deno.test("decoding known pieces gives the text back exactly", () => {
  const piece = fc.constantFrom(...words, ...phrases);
  fc.assert(fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
    const text = pieces.join("");
    const ids = chat.encode(text);
    // Joining may make new words (" mug" + "mug"); those are unknown, all else must survive.
    if (!ids.includes(3)) assertEquals(chat.decode(ids), text);
    assert(ids.length <= pieces.length);
  }));
});

Deno.test("texts give the vocabulary in order of first appearance", () => {
  const made = makeWordTokenizer({ texts: ["take the mug", "mug: take it"], phrases: [": take"] });
  const vocab = (made.tokenizer.model as { vocab: Record<string, number> }).vocab;
  assertEquals(Object.keys(vocab), [
    ...wordTokenizerSpecials,
    ": take",
    "take",
    " the",
    " mug",
    "mug",
    " it",
  ]);
  assertEquals(made.vocabSize, 11);
});

Deno.test("the longest phrase wins, in the vocabulary as in the tokenizer", () => {
  const phrases = ["put a", "put a mug"];
  assertEquals(wordPieces("put a mug in", phrases), [" in"]);
  const made = makeWordTokenizer({ texts: ["put a mug in"], phrases });
  const own = makeChat(made);
  assertEquals(own.encode("put a mug in"), [6, 7]);
});

Deno.test("an id beyond the vocabulary has no text", () => {
  assertEquals(chat.decode([4000]), "");
  assertEquals(chat.token(4000), "");
});

Deno.test("unknown words become <unk>, and no text makes encode or decode throw", () => {
  assertEquals(chat.encode(" zebra"), [3]);
  fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 40 }), (text) => {
    chat.decode(chat.encode(text));
  }));
  for (const text of ["", "👋🏽", "漢字", "\u0000\u001b[31m", "\ud800", "\ufeff", "a\u0301"]) {
    chat.decode(chat.encode(text));
  }
});

Deno.test("one turn costs two structural tokens", () => {
  const start = chat.open([{ role: "system", content: "the mug" }, { role: "user", content: " shelf" }]);
  assertEquals(start.map((id) => chat.token(id)), ["<s>", "<unk>", " mug", "\n", " shelf", "<act>"]);
  assertEquals(chat.extend(" mug", true).map((id) => chat.token(id)), [" mug", "<act>"]);
  assertEquals(chat.extend(" mug", false).map((id) => chat.token(id)), ["</s>", " mug", "<act>"]);
});

Deno.test("a special token cannot be a word", () => {
  assertThrows(() => makeWordTokenizer({ words: ["<act>"] }), RangeError, "<act>");
  assertThrows(() => makeWordTokenizer({ phrases: [""] }), RangeError, "empty");
});
