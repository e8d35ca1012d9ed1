import { Effect } from "effect";
import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import fc from "fast-check";
import { decodeSafetensors } from "../../../stages/engine/decode_safetensors.ts";
import { encodeSafetensors } from "../../../stages/engine/encode_safetensors.ts";
import { readSafetensors } from "../../../stages/engine/read_safetensors.ts";
import { FileError } from "../../../stages/errors.ts";

function join(pieces: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(pieces.flatMap((piece) => [...piece]));
}

/** A file with this header (an object, or raw text) and data. */
function file(header: unknown, data: readonly number[] = [], length?: bigint): Uint8Array {
  const text = new TextEncoder().encode(typeof header === "string" ? header : JSON.stringify(header));
  const prefix = new Uint8Array(8);
  new DataView(prefix.buffer).setBigUint64(0, length ?? BigInt(text.length), true);
  return join([prefix, text, Uint8Array.from(data)]);
}

function fault(bytes: Uint8Array): string {
  let message = "";
  assertThrows(() => {
    try {
      decodeSafetensors(bytes, "some/model.safetensors");
    } catch (error) {
      assert(error instanceof FileError);
      message = error.message;
      throw error;
    }
  });
  assert(message.startsWith("some/model.safetensors: "));
  return message;
}

Deno.test("what is encoded is decoded, bit by bit", () => {
  const tensor = fc.array(fc.nat(4), { maxLength: 3 }).chain((shape) => {
    const size = shape.reduce((a, b) => a * b, 1);
    return fc.float32Array({ minLength: size, maxLength: size }).map((data) => ({ shape, data }));
  });
  const files = fc.tuple(fc.dictionary(fc.string(), tensor), fc.dictionary(fc.string(), fc.string()));
  fc.assert(fc.property(files, ([entries, metadata]) => {
    delete entries.__metadata__;
    const tensors = new Map(Object.entries(entries));
    const bytes = join(encodeSafetensors(tensors, { ...metadata }));
    const decoded = decodeSafetensors(bytes, "f");
    assertEquals({ ...decoded.metadata }, { ...metadata });
    assertEquals(decoded.tensors.size, tensors.size);
    for (const [name, { shape, data }] of tensors) {
      assertEquals([...decoded.tensors.get(name)!.shape], [...shape]);
      assertEquals(
        new Uint32Array(decoded.tensors.get(name)!.data.buffer),
        new Uint32Array(data.slice().buffer),
      );
    }
    const headerLength = Number(new DataView(bytes.buffer).getBigUint64(0, true));
    assertEquals(headerLength % 8, 0);
  }));
});

Deno.test("half and brain floats are widened", () => {
  const half = file({ x: { dtype: "F16", shape: [3], data_offsets: [0, 6] } }, [
    0,
    0x3c,
    0,
    0xc0,
    0xff,
    0x7b,
  ]);
  assertEquals(decodeSafetensors(half, "f").tensors.get("x")!.data, Float32Array.of(1, -2, 65504));
  const brain = file({ x: { dtype: "BF16", shape: [1, 2], data_offsets: [0, 4] } }, [0x80, 0x3f, 0x49, 0xc0]);
  assertEquals(decodeSafetensors(brain, "f").tensors.get("x"), {
    shape: [1, 2],
    data: Float32Array.of(1, -3.140625),
  });
});

Deno.test("a torn or foreign file is refused", () => {
  const good = join(encodeSafetensors(new Map([["w", { shape: [2], data: Float32Array.of(1, 2) }]])));
  for (let cut = 0; cut < good.length; cut++) fault(good.subarray(0, cut));
  assertMatch(fault(good.subarray(0, 3)), /truncated: 3 bytes/);
  assertMatch(
    fault(good.subarray(0, 30)),
    /truncated or no safetensors file: header length \d+, file length 30/,
  );
  assertMatch(fault(good.subarray(0, good.length - 1)), /w: data_offsets \[0, 8\] are outside the 7 bytes/);
  assertMatch(fault(join([good, Uint8Array.of(0)])), /holds 9 bytes of data, its header describes 8/);
  assertMatch(fault(file("{}", [], 2n ** 63n)), /header length 9223372036854775808/);
  assertMatch(fault(new TextEncoder().encode("PK\x03\x04 a zip archive, say")), /no safetensors file/);
  assertMatch(fault(file("{]")), /header is no JSON/);
  assertMatch(fault(file("[]")), /header is no JSON object/);
  assertMatch(fault(file({ __metadata__: { step: 3 } })), /__metadata__ is no map of strings/);
});

Deno.test("each header field is checked", () => {
  const entry = { dtype: "F32", shape: [1], data_offsets: [0, 4] };
  const one = (change: Record<string, unknown>) => fault(file({ w: { ...entry, ...change } }, [0, 0, 0, 0]));
  assertMatch(one({ dtype: "I64" }), /w: dtype is "I64", expected F32, F16 or BF16/);
  assertMatch(one({ dtype: "toString" }), /w: dtype is "toString"/);
  assertMatch(one({ shape: [-1] }), /w: shape is \[-1\]/);
  assertMatch(one({ shape: "1" }), /w: shape is "1"/);
  assertMatch(one({ shape: [2 ** 40, 2 ** 40] }), /w: 4 bytes of data, shape/);
  assertMatch(one({ shape: [2] }), /w: 4 bytes of data, shape \[2\] of F32 needs 8/);
  assertMatch(one({ data_offsets: [0] }), /w: data_offsets is \[0\]/);
  assertMatch(one({ data_offsets: [4, 0] }), /w: data_offsets \[4, 0\] are outside/);
  assertMatch(one({ data_offsets: [0, 8] }), /w: data_offsets \[0, 8\] are outside the 4 bytes/);
  assertMatch(fault(file({ w: null }, [])), /w: dtype is undefined/);
  const two = (a: number[], b: number[]) =>
    fault(file({ a: { ...entry, data_offsets: a }, b: { ...entry, data_offsets: b } }, Array(12).fill(0)));
  assertMatch(two([0, 4], [2, 6]), /b: data_offsets overlap/);
  assertMatch(two([0, 4], [8, 12]), /b: data_offsets leave a gap/);
});

Deno.test("a file is read tensor by tensor, as its bytes are", async () => {
  const tensors = new Map(
    Array.from({ length: 20 }, (_, k) => [
      `t${k}`,
      { shape: [10, 10], data: Float32Array.from({ length: 100 }, (_, i) => k + i / 100) },
    ]),
  );
  const bytes = join(encodeSafetensors(tensors, { a: "b" }));
  const largest = { range: 0 };
  const read = (begin: number, end: number) => {
    if (begin > 0) largest.range = Math.max(largest.range, end - begin);
    return new Uint8Array(bytes.subarray(begin, end));
  };
  const header = Number(new DataView(bytes.buffer).getBigUint64(0, true));
  assertEquals(decodeSafetensors({ size: bytes.length, read }, "f"), decodeSafetensors(bytes, "f"));
  assertEquals(largest.range, Math.max(header, 400));
  const path = await Deno.makeTempFile();
  try {
    await Deno.writeFile(path, bytes);
    assertEquals(await Effect.runPromise(readSafetensors(path)), decodeSafetensors(bytes, path));
    await Deno.truncate(path, bytes.length - 1);
    const error = await Effect.runPromise(Effect.flip(readSafetensors(path)));
    assertMatch(error.message, /^.*: t19: data_offsets \[7600, 8000\] are outside the 7999 bytes of data$/);
  } finally {
    await Deno.remove(path);
  }
});
