/** What joins two numbers, the first written first. */
export const pairOperators = ["+", "-", "*", "/"] as const;

/** One of {@link pairOperators}. */
export type PairOperator = typeof pairOperators[number];
