import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { analyze } from "../../../envs/shop/search/analyze.ts";
import { lengthCode } from "../../../envs/shop/search/length_code.ts";
import { SearchIndex } from "../../../envs/shop/search/search_index.ts";
import { fixture } from "./_fixture.ts";

interface Goldens {
  readonly analyses: readonly (readonly [string, readonly string[]])[];
  readonly lengths: readonly (readonly [number, number])[];
  readonly documents: readonly (readonly [string, string])[];
  readonly searches: readonly (readonly [string, readonly (readonly [string, number])[], number])[];
}
const goldens = fixture<Goldens>("lucene.json");

function indexOf(documents: readonly (readonly [string, string])[]): SearchIndex {
  const index = new SearchIndex();
  for (const [key, text] of documents) index.add(key, text);
  return index;
}

Deno.test("texts have the terms that Lucene's English analyser finds", () => {
  for (const [text, terms] of goldens.analyses) assertEquals(analyze(text), [...terms], text);
});

Deno.test("lengths are stored as lossily as Lucene stores them", () => {
  for (const [length, stored] of goldens.lengths) assertEquals(lengthCode(length), stored, String(length));
});

Deno.test("searches find Lucene's documents in its order with its scores, bit for bit", () => {
  const index = indexOf(goldens.documents);
  for (const [query, hits, count] of goldens.searches) {
    const found = index.search(query, 50);
    assertEquals(found.length, count, query);
    assertEquals(
      found.slice(0, hits.length).map(({ doc, score }) => [goldens.documents[doc][0], score]),
      hits.map(([id, score]) => [id, Math.fround(score)]),
      query,
    );
  }
});

const word = fc.constantFrom("lamp", "lamps", "oak", "red", "soft", "shirt", "the", "soap");
const document = fc.array(word, { maxLength: 12 }).map((words) => words.join(" "));

Deno.test("a word that a document has never lowers its score; at most k come, best first, ties by key", () => {
  fc.assert(
    fc.property(fc.array(document, { minLength: 1, maxLength: 20 }), document, word, (texts, query, more) => {
      const index = indexOf(texts.map((text, i) => [`K${90 - i}`, text]));
      const scores = new Map(index.search(query, 100).map(({ doc, score }) => [doc, score]));
      for (const { doc, score } of index.search(`${query} ${more}`, 100)) {
        if (texts[doc].includes(more)) assert(score >= (scores.get(doc) ?? 0));
      }
      const best = index.search(query, 5);
      assert(best.length <= 5);
      for (let i = 1; i < best.length; i++) {
        assert(
          best[i - 1].score > best[i].score ||
            (best[i - 1].score === best[i].score && best[i - 1].doc > best[i].doc),
        );
      }
      assertEquals(index.search(query, 5), best);
    }),
  );
});

Deno.test("any text is a query and a document", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "binary" }), { minLength: 1, maxLength: 5 }), (texts) => {
      const index = indexOf(texts.map((text, i) => [String(i), text]));
      for (const text of texts) for (const { score } of index.search(text, 3)) assert(score > 0);
    }),
  );
  const long = "a[".repeat(500_000);
  assertEquals(analyze(long).length, 0);
});
