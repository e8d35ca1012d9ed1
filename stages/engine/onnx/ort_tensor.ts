import { Tensor as OrtTensor } from "onnxruntime-node";
import { isFloat32, type StoredTensor } from "../weights.ts";

/** A tensor to be fed, over the same memory. */
export function ortTensor({ shape, data }: StoredTensor): OrtTensor {
  if (isFloat32(data)) return new OrtTensor("float32", data, [...shape]);
  const bits = new Uint16Array(data.buffer as ArrayBuffer, data.byteOffset, data.length);
  const tensor = new OrtTensor("float16", bits, [...shape]);
  // The tensor makes a Float16Array of the bits, whose memory the native side does not see.
  return Object.defineProperty(tensor, "data", { value: bits });
}
