import type { BapoSearch } from "./bapo_bounds.ts";

/** The search as the paper (arXiv 2510.18927) and as its authors' open recipe state it. */
export const bapoSearches = {
  paper: {
    low: 0.6,
    maxLow: 0.9,
    stepLow: 0.02,
    high: 1.2,
    maxHigh: 3,
    stepHigh: 0.05,
    first: "high",
    balance: "share",
    target: 0.4,
  },
  released: {
    low: 0.6,
    maxLow: 0.8,
    stepLow: 0.05,
    high: 1.2,
    maxHigh: 2,
    stepHigh: 0.05,
    first: "low",
    balance: "quotient",
    target: 1,
  },
} as const satisfies Record<string, BapoSearch>;
