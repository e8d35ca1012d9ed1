import { Tensor as OrtTensor } from "onnxruntime-node";
import { blockSize } from "../quantize.ts";
import { isFloat32, type StoredTensor } from "../weights.ts";
import { minimaName, scalesName } from "./stored_product.ts";

/** What is fed for the parameter `name`, over the same memory: itself and, in 8 bits, what its blocks have. */
export function ortTensors(name: string, { shape, data, blocks }: StoredTensor): Record<string, OrtTensor> {
  if (blocks === undefined) return { [name]: plainTensor(shape, data) };
  const [rows, width] = shape;
  const size = blockSize(width);
  const perBlock = (values: Float32Array) => new OrtTensor("float32", values, [rows, width / size]);
  return {
    [name]: new OrtTensor(blocks.minima === undefined ? "int8" : "uint8", data as Int8Array, [
      ...[rows, width / size, size],
    ]),
    [scalesName(name)]: perBlock(blocks.scales),
    ...(blocks.minima !== undefined && { [minimaName(name)]: perBlock(blocks.minima) }),
  };
}

function plainTensor(shape: readonly number[], data: StoredTensor["data"]): OrtTensor {
  if (isFloat32(data)) return new OrtTensor("float32", data, [...shape]);
  const bits = new Uint16Array(data.buffer as ArrayBuffer, data.byteOffset, data.length);
  const tensor = new OrtTensor("float16", bits, [...shape]);
  // The tensor makes a Float16Array of the bits, whose memory the native side does not see.
  return Object.defineProperty(tensor, "data", { value: bits });
}
