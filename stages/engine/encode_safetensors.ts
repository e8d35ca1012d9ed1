import { isFloat32, type Weights, widen } from "./weights.ts";

/**
 * Encodes tensors as a safetensors file (F32, or F16 what is held so) in pieces: the header, then each
 * tensor's bytes, which alias the tensors. The header is padded with spaces so
 * that the data begins at a multiple of 8 bytes.
 */
export function encodeSafetensors(
  tensors: Weights,
  metadata: Readonly<Record<string, string>> = { format: "pt" },
): Uint8Array[] {
  const header: Record<string, unknown> = { __metadata__: metadata };
  const pieces: Uint8Array[] = [];
  let begin = 0;
  for (const [name, tensor] of tensors) {
    const { shape, data } = tensor.blocks === undefined ? tensor : widen(tensor);
    const end = begin + data.byteLength;
    header[name] = { dtype: isFloat32(data) ? "F32" : "F16", shape, data_offsets: [begin, end] };
    pieces.push(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
    begin = end;
  }
  let text = JSON.stringify(header);
  text += " ".repeat((8 - new TextEncoder().encode(text).length % 8) % 8);
  const encoded = new TextEncoder().encode(text);
  const length = new Uint8Array(8);
  new DataView(length.buffer).setBigUint64(0, BigInt(encoded.length), true);
  return [length, encoded, ...pieces];
}
