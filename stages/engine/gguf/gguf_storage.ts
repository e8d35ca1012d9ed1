import type { StoredType } from "../stored_type.ts";
import type { GgufHeader } from "./decode_gguf_header.ts";
import { blockFormats } from "./gguf_blocks.ts";

/** The form in which a file's matrices are held if `wanted` is: `int8` has no room for the minima of some blocks. */
export function ggufStorage({ entries }: Pick<GgufHeader, "entries">, wanted: StoredType): StoredType {
  const minima = entries.some(({ type, shape }) => {
    const format = blockFormats[type];
    return shape.length === 2 && format !== undefined && "signed" in format && !format.signed;
  });
  return wanted === "int8" && minima ? "uint8" : wanted;
}
