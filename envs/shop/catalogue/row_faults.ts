import { FileError } from "../../../stages/errors.ts";
import { RowFault } from "../../rows/row.ts";

/** Faults that a message lists. */
const LISTED = 5;

/** Counts the malformed rows of one file and keeps the first of them. */
export class RowFaults {
  readonly #path: string;
  readonly #share: number;
  readonly #first: string[] = [];
  #count = 0;
  #rows = 0;

  /** `share` is the largest share of rows that may be left out. */
  constructor(path: string, share: number) {
    this.#path = path;
    this.#share = share;
  }

  /** Reads a row: what `parse` gives, or undefined if it throws a RowFault. */
  read<T>(row: number, parse: () => T): T | undefined {
    this.#rows++;
    try {
      return parse();
    } catch (error) {
      if (!(error instanceof RowFault)) throw error;
      this.#count++;
      if (this.#first.length < LISTED) this.#first.push(`row ${row + 1}, ${error.message}`);
      return undefined;
    }
  }

  /** @throws FileError if more rows are malformed than may be; tells `warn` of those left out. */
  finish(warn: (message: string) => void): void {
    if (this.#count > this.#share * this.#rows) {
      const more = this.#count > LISTED ? [`and ${this.#count - LISTED} more`] : [];
      throw new FileError({
        path: this.#path,
        reason:
          `${this.#count} of ${this.#rows} rows are malformed, at most a share of ${this.#share} may be: ` +
          [...this.#first, ...more].join("; "),
      });
    }
    if (this.#count > 0) {
      warn(`${this.#path}: ${this.#count} of ${this.#rows} rows left out; first: ${this.#first[0]}`);
    }
  }
}
