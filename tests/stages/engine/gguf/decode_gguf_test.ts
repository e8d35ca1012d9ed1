import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { decodeGguf } from "../../../../stages/engine/gguf/decode_gguf.ts";
import { ggufWeights } from "../../../../stages/engine/gguf/gguf_weights.ts";
import type { Tensor } from "../../../../stages/engine/weights.ts";
import { FileError } from "../../../../stages/errors.ts";
import { relativeDifference, tinyConfig, tinyWeights } from "../_tiny.ts";

const folder = new URL("../../../../fixtures/gguf/", import.meta.url);
const bytes = Deno.readFileSync(new URL("formats.gguf", folder));
const expected: Record<string, { shape: number[]; data: number[] }> = JSON.parse(
  Deno.readTextFileSync(new URL("expected.json", folder)),
);
const fault = (changed: Uint8Array) => assertThrows(() => decodeGguf(changed, "m.gguf"), FileError).message;

Deno.test("every format gives the numbers of the gguf package", () => {
  const { tensors, metadata } = decodeGguf(bytes, "m.gguf");
  assertEquals([...tensors.keys()].sort(), Object.keys(expected).sort());
  for (const [name, { shape, data }] of Object.entries(expected)) {
    assertEquals(tensors.get(name)!.shape, shape);
    assert(relativeDifference(tensors.get(name)!.data, data) < 1e-6, name);
  }
  assertEquals(metadata.get("llama.block_count"), 2);
  assertEquals(metadata.get("llama.rope.freq_base"), 0.5);
  assertEquals(metadata.get("tokenizer.ggml.tokens"), ["a", "東"]);
  assertEquals(metadata.get("tokenizer.ggml.add_bos_token"), true);
});

Deno.test("a file cut anywhere is refused, never read beyond its end", () => {
  for (let length = 0; length < bytes.length; length += 7) fault(bytes.slice(0, length));
  assertMatch(fault(bytes.slice(0, 2)), /^m\.gguf: magic reaches beyond the end of the file \(2 bytes\)/);
  assertMatch(fault(bytes.slice(0, -40)), /^m\.gguf: Q4_K ends at byte \d+ of a file of \d+/);
});

Deno.test("counts, versions and types that cannot be are refused with their field", () => {
  const changed = (at: number, ...values: number[]) => {
    const copy = bytes.slice();
    copy.set(values, at);
    return copy;
  };
  assertMatch(fault(changed(0, 0)), /is no GGUF file/);
  assertMatch(fault(changed(4, 9)), /is GGUF version 9, expected 2 or 3/);
  assertMatch(fault(changed(12, 255, 255)), /tensor_count is \d+, expected at most 1000000/);
  assertMatch(fault(changed(24, 255, 255, 255, 255)), /key 0 reaches beyond the end/);
});

/** Rows [head, half, pair] in the order [head, pair, half], as files of architecture `llama` are written. */
function pairRows({ shape, data }: Tensor, headDim: number): Tensor {
  const [rows, width] = shape;
  const out: number[] = [];
  for (let head = 0; head < rows; head += headDim) {
    for (let pair = 0; pair < headDim / 2; pair++) {
      for (const half of [0, 1]) {
        const row = head + half * headDim / 2 + pair;
        out.push(...data.subarray(row * width, (row + 1) * width));
      }
    }
  }
  return { shape, data: Float32Array.from(out) };
}

Deno.test("names and rotated rows become those of Hugging Face", () => {
  const weights = tinyWeights();
  const short: [RegExp, string][] = [
    [/model\.layers\.(\d)\./, "blk.$1."],
    [/self_attn\.([qkv])_proj/, "attn_$1"],
    [/self_attn\.o_proj/, "attn_output"],
    [/input_layernorm/, "attn_norm"],
    [/post_attention_layernorm/, "ffn_norm"],
    [/mlp\.(gate|up|down)_proj/, "ffn_$1"],
    [/model\.embed_tokens/, "token_embd"],
    [/model\.norm/, "output_norm"],
  ];
  const tensors = new Map([...weights].map(([name, tensor]) => [
    short.reduce((s, [from, to]) => s.replace(from, to), name),
    /[qk]_proj/.test(name) ? pairRows(tensor, tinyConfig.headDim) : tensor,
  ]));
  tensors.set("rope_freqs.weight", { shape: [1], data: Float32Array.of(1) });
  const metadata = new Map([["general.architecture", "llama"]]);
  assertEquals([...ggufWeights({ tensors, metadata }, tinyConfig)], [...weights]);
  const other = new Map([["general.architecture", "qwen2"]]);
  const q = "model.layers.0.self_attn.q_proj.weight";
  assertEquals(
    ggufWeights({ tensors, metadata: other }, tinyConfig).get(q),
    tensors.get("blk.0.attn_q.weight"),
  );
});

/** A file with tensors [32] of float32 at the given offsets, and 128 bytes of data. */
function overlapping(tensors: readonly (readonly [name: string, offset: number])[]): Uint8Array {
  const u32 = (n: number) => new Uint8Array(new Uint32Array([n]).buffer);
  const u64 = (n: number) => new Uint8Array(new BigUint64Array([BigInt(n)]).buffer);
  const text = (s: string) => [...u64(s.length), ...new TextEncoder().encode(s)];
  const header = [...new TextEncoder().encode("GGUF"), ...u32(3), ...u64(tensors.length), ...u64(0)];
  for (const [name, offset] of tensors) {
    header.push(...text(name), ...u32(1), ...u64(32), ...u32(0), ...u64(offset));
  }
  const start = Math.ceil(header.length / 32) * 32;
  const file = new Uint8Array(start + 128);
  file.set(header);
  return file;
}

Deno.test("tensors that overlap or have one name are refused before memory is taken for them", () => {
  assertEquals(decodeGguf(overlapping([["a", 0]]), "m.gguf").tensors.size, 1);
  assertMatch(fault(overlapping([["a", 0], ["b", 0]])), /^m\.gguf: b overlaps another tensor/);
  assertMatch(fault(overlapping([["a", 0], ["a", 0]])), /^m\.gguf: a is described twice/);
});
