import { Effect, Schema } from "effect";
import { suggestName } from "./suggest_name.ts";

/** A documented key: absent while decoding, it takes `fallback`. */
export function key<S extends Schema.Top & { readonly "Encoded": unknown }>(
  schema: S,
  fallback: S["Encoded"],
  description: string,
) {
  return schema.pipe(Schema.withDecodingDefaultTypeKey(Effect.succeed(fallback as never)))
    .annotateKey({ description });
}

/** A section: absent, every key of it takes its fallback. */
export function section<S extends Schema.Top & { readonly "DecodingServices": never }>(schema: S) {
  const decode = Schema.decodeUnknownSync(schema);
  return schema.pipe(Schema.withDecodingDefaultTypeKey(Effect.sync(() => decode({}) as never)));
}

/** The largest count that a key accepts unless it has a bound of its own: 2^31 - 1. */
const largestCount = 2 ** 31 - 1;

/** A whole number in [`minimum`, `maximum`]. */
export function count(minimum: number, maximum: number = largestCount) {
  return Schema.Int.check(
    Schema.isGreaterThanOrEqualTo(minimum),
    Schema.isLessThanOrEqualTo(maximum),
  );
}

/** A name in a registry, which may grow until it is read. */
export function nameIn(kind: string, registry: Readonly<Record<string, unknown>>) {
  return Schema.String.check(
    Schema.makeFilter((value: string) =>
      Object.hasOwn(registry, value) || suggestName(kind, value, Object.keys(registry))
    ),
  );
}

/** A finite number ≥ 0. */
export const NonNegative = Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0));

/** A finite number > 0. */
export const Positive = Schema.Finite.check(Schema.isGreaterThan(0));

/** Seconds, > 0 and no more than a timer holds: 2^31 - 1 milliseconds. */
export const Seconds = Positive.check(Schema.isLessThanOrEqualTo(2147483));

/** A number of tokens: sums of them are exact. */
export const tokens = (minimum: number) => count(minimum, 1e12);

/** A number in [0, 1). */
export const Fraction = Schema.Finite.check(
  Schema.isGreaterThanOrEqualTo(0),
  Schema.isLessThan(1),
);

/** A text with at least one character. */
export const Text = Schema.String.check(Schema.isMinLength(1));
