import { assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { fourBitMatrix, hasFourBitBlocks } from "../../../../../stages/policy/onnx/graphs/four_bits.ts";

const nibble = (bytes: Uint8Array, i: number) => i % 2 === 0 ? bytes[i >> 1] & 15 : bytes[i >> 1] >> 4;

Deno.test("the planes of a matrix add up to its numbers, and there is one where four bits do", () => {
  fc.assert(fc.property(
    fc.record({ rows: fc.integer({ min: 1, max: 3 }), blocks: fc.integer({ min: 1, max: 3 }) }),
    fc.boolean(),
    fc.boolean(),
    fc.infiniteStream(fc.nat({ max: 255 })),
    ({ rows, blocks }, signed, few, stream) => {
      const width = 32 * blocks;
      const data = new (signed ? Int8Array : Uint8Array)(rows * width);
      for (let i = 0; i < data.length; i++) {
        const x: number = stream.next().value;
        data[i] = few ? (signed ? x % 16 - 8 : x % 16) : x;
      }
      const scales = Float32Array.from({ length: rows * blocks }, (_, b) => 2 ** -b);
      const minima = signed ? undefined : scales.map((s) => -3 * s);
      const matrix = fourBitMatrix({
        shape: [rows, width],
        data,
        blocks: { scales, ...(minima && { minima }) },
      });
      const { planes } = matrix;
      const fits = data.every((x: number) => signed ? x >= -8 && x <= 7 : x <= 15);
      assertEquals(planes, fits ? 1 : 2);
      assertEquals(matrix.minima, minima);
      const perRow = planes * blocks;
      const zeroes = Math.ceil(perRow / 2);
      for (let row = 0; row < rows; row++) {
        for (let i = 0; i < width; i++) {
          let sum = 0;
          for (let plane = 0; plane < planes; plane++) {
            const block = plane * blocks + (i >> 5);
            const zero = nibble(matrix.zeroPoints.subarray(row * zeroes), block);
            const q = nibble(matrix.data, (row * planes + plane) * width + i);
            sum += matrix.scales[row * perRow + block] * (q - zero);
          }
          assertEquals(sum, data[row * width + i] * scales[row * blocks + (i >> 5)]);
        }
      }
    },
  ));
});

Deno.test("rows whose blocks are not of 32 numbers have no planes", () => {
  assertEquals([32, 576, 1536, 40, 16].map(hasFourBitBlocks), [true, true, true, false, false]);
});
