import { Effect, Stream } from "effect";

/**
 * A stage maps a stream of `A` to a stream of `B`. What it may fail with (`E`)
 * and which services it needs (`R`) are added to what the stream carries
 * already, so a whole pipeline shows both in its type. Each stage requires the
 * fields that the one before it added: leaving a stage out, or swapping two,
 * does not compile.
 */
export type Stage<A, B, E = never, R = never> = <E0, R0>(
  self: Stream.Stream<A, E0, R0>,
) => Stream.Stream<B, E0 | E, R0 | R>;

/** Lifts a pure function of one group to a stage; `name` is its span. */
export function pureStage<A, B>(name: string, map: (group: A) => B): Stage<A, B> {
  return Stream.mapEffect((group: A) => Effect.sync(() => map(group)).pipe(Effect.withSpan(name)));
}

/**
 * Lifts an effect on up to `size` groups at once to a stage. Groups stay the
 * elements of the stream; only the work (decoding, environment steps) is shared
 * between them. Which groups share a batch follows from their order alone, and
 * the next batch is pulled only after the one before it has been used, so
 * synchronous training stays on-policy.
 */
export function batchStage<A, B, E, R>(
  size: number,
  run: (groups: readonly A[]) => Effect.Effect<readonly B[], E, R>,
): Stage<A, B, E, R> {
  return (self) =>
    self.pipe(
      Stream.grouped(size),
      Stream.mapEffect(run),
      Stream.flatMap((groups) => Stream.fromIterable(groups)),
    );
}
