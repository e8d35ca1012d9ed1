/**
 * What a verifier says of a reply. Verifiers are total: any text gets a verdict,
 * and nothing in a text is ever executed.
 */
export interface Verdict<C extends string = string> {
  readonly ok: boolean;
  /** `ok`, or the one reason for refusal; categories of a verifier exclude each other. */
  readonly category: C | "ok";
  /** The answer that was read from the reply, or null if there is none. */
  readonly extracted: string | null;
  /** One line for a person. */
  readonly reason: string;
}

/** A verdict that accepts `extracted`. */
export function accept(extracted: string): Verdict<never> {
  return { ok: true, category: "ok", extracted, reason: "correct" };
}

/** A verdict that refuses. */
export function refuse<C extends string>(
  category: C,
  reason: string,
  extracted: string | null = null,
): Verdict<C> {
  return { ok: false, category, extracted, reason };
}
