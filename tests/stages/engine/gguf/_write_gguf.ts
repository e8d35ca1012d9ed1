type Value = string | number | boolean | readonly Value[];

const UINT32 = 4, FLOAT32 = 6, BOOL = 7, STRING = 8, LIST = 9;

/** Encodes metadata as a GGUF file (version 3) without tensors. */
export function encodeGguf(metadata: ReadonlyMap<string, unknown>): Uint8Array<ArrayBuffer> {
  const pieces: Uint8Array[] = [];
  const u32 = (n: number) => pieces.push(new Uint8Array(Uint32Array.of(n).buffer));
  const u64 = (n: number) => pieces.push(new Uint8Array(BigUint64Array.of(BigInt(n)).buffer));
  const text = (s: string) => {
    const bytes = new TextEncoder().encode(s);
    u64(bytes.length);
    pieces.push(bytes);
  };
  const write = (value: Value) => {
    if (typeof value === "string") text(value);
    else if (typeof value === "boolean") pieces.push(Uint8Array.of(value ? 1 : 0));
    else if (typeof value === "number") {
      if (typeOf(value) === UINT32) u32(value);
      else pieces.push(new Uint8Array(Float32Array.of(value).buffer));
    } else {
      // Numbers of a list are of one type.
      const types = value.map(typeOf);
      const type = types.includes(FLOAT32) ? FLOAT32 : types[0] ?? UINT32;
      u32(type);
      u64(value.length);
      for (const x of value) {
        if (type === FLOAT32) pieces.push(new Uint8Array(Float32Array.of(x as number).buffer));
        else write(x);
      }
    }
  };
  pieces.push(new TextEncoder().encode("GGUF"));
  u32(3);
  u64(0);
  u64(metadata.size);
  for (const [key, value] of metadata) {
    text(key);
    u32(typeOf(value as Value));
    write(value as Value);
  }
  return Uint8Array.from(pieces.flatMap((piece) => [...piece]));
}

function typeOf(value: Value): number {
  if (typeof value === "string") return STRING;
  if (typeof value === "boolean") return BOOL;
  if (typeof value === "number") return Number.isInteger(value) && value >= 0 ? UINT32 : FLOAT32;
  return LIST;
}
