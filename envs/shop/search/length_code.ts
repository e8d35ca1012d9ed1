/**
 * Lucene's one-byte code of a document's length (`SmallFloat.intToByte4`): exact
 * up to 39 terms, above that `length − 24` to 4 significant bits. Returns the
 * length that the code stands for, which is what ranking sees.
 */
export function lengthCode(length: number): number {
  if (length < EXACT) return length;
  const rest = length - EXACT;
  const bits = 32 - Math.clz32(rest);
  const shift = Math.max(0, bits - 4);
  return EXACT + ((rest >>> shift) << shift);
}

/** Lengths below this have a code of their own. */
const EXACT = 24;
