import { analyze } from "./analyze.ts";
import { lengthCode } from "./length_code.ts";

/** Documents and how often each holds a term, growing. */
interface Postings {
  docs: Uint32Array;
  counts: Uint16Array;
  size: number;
}

/** BM25's parameters in Anserini. */
const K1 = 0.9;
const B = 0.4;

const f = Math.fround;

/**
 * A full-text index that ranks as Lucene's BM25Similarity(k1 = 0.9, b = 0.4) does,
 * in the same 32-bit arithmetic:
 *
 *   score(q, d) = Σ_t c_q(t)·idf(t)·(1 − 1/(1 + c_d(t)/norm(d)))
 *   idf(t) = ln(1 + (N − n_t + 0.5)/(n_t + 0.5))
 *   norm(d) = k1·(1 − b + b·|d|/avg|d|), with |d| as Lucene stores it
 *
 * over the distinct terms t of the query, c being counts. Documents of equal score
 * are ordered by their key's code units, as Pyserini's searcher does.
 */
export class SearchIndex {
  readonly #postings = new Map<string, Postings>();
  readonly #keys: string[] = [];
  #lengths = new Uint32Array(1024);
  #terms = 0;
  /** Documents that have a term at all; the others do not count for Lucene. */
  #documents = 0;
  #scores = new Float64Array(0);
  #inverse = new Float32Array(0);

  /** Number of documents. */
  get size(): number {
    return this.#keys.length;
  }

  /** Adds a document; its number is the count of those before it. */
  add(key: string, text: string): void {
    const doc = this.#keys.push(key) - 1;
    if (doc >= this.#lengths.length) this.#lengths = grown(this.#lengths, Uint32Array);
    const terms = analyze(text);
    this.#lengths[doc] = terms.length;
    this.#terms += terms.length;
    if (terms.length > 0) this.#documents++;
    for (const term of terms) this.#count(term, doc);
  }

  #count(term: string, doc: number): void {
    let list = this.#postings.get(term);
    if (list === undefined) {
      this.#postings.set(term, list = { docs: new Uint32Array(2), counts: new Uint16Array(2), size: 0 });
    }
    if (list.size > 0 && list.docs[list.size - 1] === doc) {
      if (list.counts[list.size - 1] < 0xffff) list.counts[list.size - 1]++;
      return;
    }
    if (list.size === list.docs.length) {
      list.docs = grown(list.docs, Uint32Array);
      list.counts = grown(list.counts, Uint16Array);
    }
    list.docs[list.size] = doc;
    list.counts[list.size++] = 1;
  }

  /** The best `k` documents that hold at least one term of the query, best first. */
  search(query: string, k: number): readonly { readonly doc: number; readonly score: number }[] {
    const weights = new Map<string, number>();
    for (const term of analyze(query)) weights.set(term, (weights.get(term) ?? 0) + 1);
    if (this.#scores.length < this.#keys.length) this.#scores = new Float64Array(this.#lengths.length);
    const scores = this.#scores;
    const inverse = this.#inverseNorms();
    const touched: number[] = [];
    for (const [term, count] of weights) {
      const list = this.#postings.get(term);
      if (list === undefined) continue;
      const idf = f(Math.log(1 + (this.#documents - list.size + 0.5) / (list.size + 0.5)));
      const weight = f(f(count) * idf);
      for (let i = 0; i < list.size; i++) {
        const doc = list.docs[i];
        if (scores[doc] === 0) touched.push(doc);
        scores[doc] += f(weight - f(weight / f(1 + f(list.counts[i] * inverse[doc]))));
      }
    }
    return this.#best(touched, k);
  }

  /** 1/norm(d) of every document, kept until one is added. */
  #inverseNorms(): Float32Array {
    if (this.#inverse.length === this.#keys.length) return this.#inverse;
    const average = f(this.#terms / this.#documents);
    const inverse = new Float32Array(this.#keys.length);
    for (let doc = 0; doc < inverse.length; doc++) {
      const relative = f(f(f(B) * lengthCode(this.#lengths[doc])) / average);
      inverse[doc] = 1 / f(f(K1) * f(f(1 - f(B)) + relative));
    }
    return this.#inverse = inverse;
  }

  /** Takes the best of `touched` and clears their scores. */
  #best(touched: readonly number[], k: number) {
    const before = (a: Hit, b: Hit) => b.score - a.score || (this.#keys[a.doc] < this.#keys[b.doc] ? -1 : 1);
    const best: Hit[] = [];
    for (const doc of touched) {
      const hit = { doc, score: f(this.#scores[doc]) };
      this.#scores[doc] = 0;
      if (best.length === k && before(best[k - 1], hit) < 0) continue;
      let low = 0;
      for (let high = best.length; low < high;) {
        const middle = (low + high) >> 1;
        if (before(best[middle], hit) < 0) low = middle + 1;
        else high = middle;
      }
      best.splice(low, 0, hit);
      if (best.length > k) best.pop();
    }
    return best;
  }
}

interface Hit {
  readonly doc: number;
  readonly score: number;
}

function grown<T extends Uint32Array | Uint16Array>(list: T, Kind: new (length: number) => T): T {
  const longer = new Kind(list.length * 2);
  longer.set(list);
  return longer;
}
