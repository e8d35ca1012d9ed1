/**
 * Kinds of generated tasks, by what the right purchase takes: nothing but the
 * title, one or two options to be chosen, the price, or a look at the features.
 */
export const shopKinds = ["plain", "option", "two_options", "price", "feature"] as const;

/** A name in {@link shopKinds}. */
export type ShopKind = typeof shopKinds[number];

/** Kinds that a level has. In a large shop the price always matters, so it makes no kind. */
export function kindsOf(level: number): readonly ShopKind[] {
  if (level === 0) return ["plain", "option", "two_options", "price"];
  return level === 1 ? shopKinds : ["plain", "option", "two_options", "feature"];
}
