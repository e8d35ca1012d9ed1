import { FileError } from "../../stages/errors.ts";

/** One element of a file's outermost array, or one entry of its outermost object. */
export interface JsonElement {
  /** Position, from 0. */
  readonly row: number;
  /** Name of the entry; "" in an array. */
  readonly key: string;
  /** Where the value stands in the file, in bytes. */
  readonly from: number;
  readonly to: number;
  readonly value: unknown;
}

const code = (character: string) => character.charCodeAt(0);
const [QUOTE, BACKSLASH, COMMA, COLON] = ['"', "\\", ",", ":"].map(code);
const OPENING = new Set(["{", "["].map(code));
const CLOSING = new Set(["}", "]"].map(code));

/**
 * Reads a JSON file of any size element by element: only one element is in memory
 * at a time. Strings and brackets are followed byte by byte, and each element is
 * parsed by itself.
 *
 * @throws FileError for a file that cannot be read, is no array or object, ends
 * early, or has an element that is no JSON; it names the row.
 */
export async function* jsonElements(path: string): AsyncGenerator<JsonElement> {
  const decoder = new TextDecoder();
  const fail = (reason: string) => new FileError({ path, reason });
  let row = 0;
  let depth = 0;
  let inString = false;
  let escaped = false;
  let key = "";
  let isObject = false;
  let ended = false;
  /** Bytes of the element so far, from chunks before this one. */
  let earlier: Uint8Array[] = [];
  let offset = 0;
  let from = 0;
  const parse = (bytes: Uint8Array): unknown => {
    const text = decoder.decode(bytes);
    try {
      return JSON.parse(text);
    } catch (error) {
      throw fail(`row ${row + 1}: not JSON: ${(error as Error).message.slice(0, 80)}`);
    }
  };
  for await (const chunk of chunksOf(path)) {
    let start = 0;
    const taken = (end: number): Uint8Array => {
      const bytes = joined([...earlier, chunk.subarray(start, end)]);
      earlier = [];
      return bytes;
    };
    for (let i = 0; i < chunk.length; i++) {
      const byte = chunk[i];
      if (inString) {
        if (escaped) escaped = false;
        else if (byte === BACKSLASH) escaped = true;
        else if (byte === QUOTE) inString = false;
        continue;
      }
      if (byte <= 32) continue;
      if (ended) throw fail("more text after its end");
      if (depth === 0) {
        if (!OPENING.has(byte)) throw fail("expected an array or an object");
        isObject = byte === code("{");
        depth = 1;
        start = i + 1;
        from = offset + i + 1;
        continue;
      }
      if (byte === QUOTE) inString = true;
      else if (OPENING.has(byte)) depth++;
      else if (byte === COLON && depth === 1 && isObject) {
        key = String(parse(taken(i)));
        start = i + 1;
        from = offset + i + 1;
      } else if (CLOSING.has(byte) || (byte === COMMA && depth === 1)) {
        if (byte !== COMMA) depth--;
        if (depth > 1 || (depth === 1 && byte !== COMMA)) continue;
        const bytes = taken(i);
        ended = depth === 0;
        if (!ended || row > 0 || decoder.decode(bytes).trim() !== "") {
          yield { row, key, from, to: offset + i, value: parse(bytes) };
          row++;
        }
        key = "";
        start = i + 1;
        from = offset + i + 1;
      }
    }
    if (depth > 0) earlier.push(chunk.slice(start));
    offset += chunk.length;
  }
  if (!ended) throw fail(`ends early, in row ${row + 1}`);
}

async function* chunksOf(path: string): AsyncGenerator<Uint8Array> {
  let file: Deno.FsFile;
  try {
    file = await Deno.open(path);
  } catch (error) {
    throw new FileError({ path, reason: (error as Error).message });
  }
  const buffer = new Uint8Array(1 << 18);
  try {
    for (let size = await file.read(buffer); size !== null; size = await file.read(buffer)) {
      yield buffer.subarray(0, size);
    }
  } finally {
    file.close();
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
