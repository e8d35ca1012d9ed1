import { FileError } from "../../errors.ts";

/** Lengths beyond this are no lengths. */
const MAX_COUNT = 1_000_000;

const decoder = new TextDecoder();

/** Reads little-endian numbers and texts in order; what reaches beyond the file is a FileError. */
export class Reader {
  at = 0;
  readonly #view: DataView;

  constructor(readonly bytes: Uint8Array, readonly path: string) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  fail(field: string, reason: string): never {
    throw new FileError({ path: this.path, reason: `${field} ${reason}` });
  }

  text(length: number, field: string): string {
    return decoder.decode(this.bytes.subarray(this.#take(length, field), this.at));
  }

  string(field: string): string {
    return this.text(this.u64(field), field);
  }

  u32(field: string): number {
    return this.#view.getUint32(this.#take(4, field), true);
  }

  u64(field: string): number {
    return Number(this.#view.getBigUint64(this.#take(8, field), true));
  }

  /** A length that is no absurdity. */
  count(field: string): number {
    const value = this.u64(field);
    return value <= MAX_COUNT ? value : this.fail(field, `is ${value}, expected at most ${MAX_COUNT}`);
  }

  /** A metadata value of the given type number. */
  value(type: number, field: string): unknown {
    const view = this.#view;
    const take = (length: number) => this.#take(length, field);
    switch (type) {
      case 0:
        return view.getUint8(take(1));
      case 1:
        return view.getInt8(take(1));
      case 2:
        return view.getUint16(take(2), true);
      case 3:
        return view.getInt16(take(2), true);
      case 4:
        return view.getUint32(take(4), true);
      case 5:
        return view.getInt32(take(4), true);
      case 6:
        return view.getFloat32(take(4), true);
      case 7:
        return view.getUint8(take(1)) !== 0;
      case 8:
        return this.string(field);
      case 9: {
        const inner = this.u32(field);
        const length = this.count(field);
        if (inner === 9) this.fail(field, "is a list of lists");
        return Array.from({ length }, () => this.value(inner, field));
      }
      case 10:
        return this.u64(field);
      case 11:
        return Number(view.getBigInt64(take(8), true));
      case 12:
        return view.getFloat64(take(8), true);
      default:
        return this.fail(field, `has the unknown type ${type}`);
    }
  }

  #take(length: number, field: string): number {
    const from = this.at;
    if (!(length <= this.bytes.length - from)) {
      this.fail(field, `reaches beyond the end of the file (${this.bytes.length} bytes): it is truncated`);
    }
    this.at += length;
    return from;
  }
}
