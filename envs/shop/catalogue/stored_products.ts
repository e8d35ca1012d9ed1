import { FileError } from "../../../stages/errors.ts";
import type { Row } from "../../rows/row.ts";
import { NO_ATTRIBUTES, parseProduct } from "./parse_product.ts";
import type { Product } from "./product.ts";

/** Products that stay in memory once they were read. */
const KEPT = 4096;

/**
 * The products of a catalogue file, by number. Only where each stands is in
 * memory, and the few that were used last: a full catalogue has gigabytes.
 */
export class StoredProducts {
  readonly #path: string;
  readonly #numbers = new Map<string, number>();
  readonly #from: number[] = [];
  readonly #to: number[] = [];
  readonly #attributes = new Map<number, readonly string[]>();
  readonly #recent = new Map<number, Product>();
  #file: Deno.FsFile | null = null;

  constructor(path: string) {
    this.#path = path;
  }

  get size(): number {
    return this.#from.length;
  }

  /** Adds the product that stands at these bytes; false if its ASIN is there already. */
  add(asin: string, from: number, to: number): boolean {
    if (this.#numbers.has(asin)) return false;
    this.#numbers.set(asin, this.#from.push(from) - 1);
    this.#to.push(to);
    return true;
  }

  find(asin: string): number | undefined {
    return this.#numbers.get(asin);
  }

  /** Attributes of a product, known from another file. */
  setAttributes(number: number, attributes: readonly string[]): void {
    this.#attributes.set(number, attributes);
    this.#recent.delete(number);
  }

  /** @throws FileError if the file has changed since it was read. */
  product(number: number): Product {
    const recent = this.#recent.get(number);
    if (recent !== undefined) return recent;
    const product = { ...this.#read(number), attributes: this.#attributes.get(number) ?? NO_ATTRIBUTES };
    this.#recent.set(number, product);
    if (this.#recent.size > KEPT) this.#recent.delete(this.#recent.keys().next().value!);
    return product;
  }

  close(): void {
    this.#file?.close();
    this.#file = null;
  }

  #read(number: number): Product {
    try {
      this.#file ??= Deno.openSync(this.#path);
      this.#file.seekSync(this.#from[number], Deno.SeekMode.Start);
      const bytes = new Uint8Array(this.#to[number] - this.#from[number]);
      for (let at = 0; at < bytes.length;) {
        const size = this.#file.readSync(bytes.subarray(at));
        if (size === null) throw new RangeError("the file is shorter than it was");
        at += size;
      }
      const product = parseProduct(JSON.parse(new TextDecoder().decode(bytes)) as Row);
      if (product !== null && this.#numbers.get(product.asin) === number) return product;
      throw new RangeError("another product stands there");
    } catch (error) {
      const reason = `cannot read product ${number + 1} again: ${(error as Error).message}`;
      throw new FileError({ path: this.#path, reason });
    }
  }
}
