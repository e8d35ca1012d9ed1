import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { sharedPrefixes } from "../../../../stages/policy/onnx/_shared_prefixes.ts";

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);

Deno.test("the attempts of a group share all of their prompt but its last id", () => {
  const [a, b] = [range(0, 50), range(100, 160)];
  assertEquals(sharedPrefixes([a, a, b, a, b]), [
    undefined,
    { of: 0, length: 49 },
    undefined,
    { of: 0, length: 49 },
    { of: 2, length: 59 },
  ]);
});

Deno.test("what is short, or a small part of a context, is computed again", () => {
  assertEquals(sharedPrefixes([range(0, 32), range(0, 32)]), [undefined, undefined]);
  assertEquals(sharedPrefixes([range(0, 33), range(0, 33)])[1], { of: 0, length: 32 });
  const [whole, half] = [range(0, 100), [...range(0, 50), ...range(500, 550)]];
  assertEquals(sharedPrefixes([whole, half])[1], undefined);
  assertEquals(sharedPrefixes([whole, [...range(0, 80), ...range(500, 510)]])[1], { of: 0, length: 80 });
});

Deno.test("every prefix is common, of an earlier context, and leaves an id", () => {
  const context = fc.tuple(fc.nat(3), fc.integer({ min: 1, max: 90 }), fc.nat(9)).map((
    [stem, length, tail],
  ) => [
    ...Array.from({ length }, (_, i) => (stem + 1) * Math.floor(i / (10 + stem))),
    ...Array<number>(tail).fill(7),
  ]);
  fc.assert(fc.property(fc.array(context, { maxLength: 12 }), (contexts) => {
    sharedPrefixes(contexts).forEach((prefix, i) => {
      if (prefix === undefined) return;
      assert(prefix.of < i && prefix.length < contexts[i].length);
      assertEquals(contexts[i].slice(0, prefix.length), contexts[prefix.of].slice(0, prefix.length));
    });
  }));
});
