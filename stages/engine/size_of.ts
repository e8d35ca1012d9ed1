/** How many numbers a tensor of this shape holds: 1 for a scalar's, []. */
export function sizeOf(shape: readonly number[]): number {
  return shape.reduce((size, length) => size * length, 1);
}
