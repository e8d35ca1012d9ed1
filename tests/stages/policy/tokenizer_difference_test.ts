import { assertEquals, assertMatch } from "@std/assert";
import { tokenizerDifference } from "../../../stages/policy/tokenizer_difference.ts";

const read = (name: string) =>
  JSON.parse(Deno.readTextFileSync(`fixtures/tokenizers/${name}/tokenizer.json`));
const names = ["llama3", "phi3", "qwen2", "smollm2"];

Deno.test("a tokenizer equals itself and none of the other families", () => {
  for (const one of names) {
    for (const other of names) {
      const difference = tokenizerDifference(read(one), read(other));
      assertEquals(difference === undefined, one === other, `${one}, ${other}: ${difference}`);
    }
  }
});

Deno.test("ids, merges and the way of splitting all count", () => {
  const ours = {
    model: { vocab: { a: 0, b: 1, ab: 2 }, merges: ["a b"] },
    added_tokens: [{ id: 3, content: "</s>" }],
    pre_tokenizer: { type: "ByteLevel" },
  };
  const change = (part: object) => tokenizerDifference({ ...ours, ...part }, ours);
  assertEquals(change({}), undefined);
  assertEquals(
    change({ model: { ...ours.model, vocab: { a: 0, c: 1, ab: 2 } } }),
    'id 1 is "c" here and "b" there',
  );
  assertEquals(change({ added_tokens: [] }), 'id 3 is no token here and "</s>" there');
  assertEquals(change({ model: { ...ours.model, merges: [] } }), "field model.merges differs");
  assertEquals(change({ pre_tokenizer: null }), "field pre_tokenizer differs");
});

Deno.test("one tokenizer in other words is the same: merges as pairs, a splitter that splits alike", () => {
  const ours = read("qwen2");
  const pairs = ours.model.merges.map((m: string | string[]) =>
    Array.isArray(m) ? m.join(" ") : m.split(" ")
  );
  const wrapped = { type: "Sequence", pretokenizers: [ours.pre_tokenizer] };
  const theirs = { ...ours, model: { ...ours.model, merges: pairs }, pre_tokenizer: wrapped };
  assertEquals(tokenizerDifference(ours, theirs), undefined);
  // Without splitting, merges reach across words.
  const whole = { ...ours.pre_tokenizer, pretokenizers: ours.pre_tokenizer.pretokenizers.slice(1) };
  const difference = tokenizerDifference(ours, { ...ours, pre_tokenizer: whole });
  assertMatch(difference!, /^field pre_tokenizer differs, and so do the ids of "./);
});
