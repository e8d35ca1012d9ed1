import type { Catalogue } from "./catalogue/catalogue.ts";
import type { Goal } from "./goals/goal.ts";
import { PER_PAGE, RESULTS } from "./session.ts";

/** A query and the page of its results that a product is on. */
export interface FoundQuery {
  readonly query: string;
  /** From 1. */
  readonly page: number;
}

/**
 * The first query that shows the goal's product on the earliest page: the kind of
 * product with its attributes, the kind alone, the title. Null if none finds it.
 */
export function findQuery(goal: Goal, catalogue: Catalogue): FoundQuery | null {
  const target = catalogue.find(goal.asin);
  const queries = [[goal.query, ...goal.attributes].join(" "), goal.query, goal.name.toLowerCase()];
  let best: FoundQuery | null = null;
  for (const query of queries) {
    if (query.trim() === "") continue;
    const at = catalogue.index.search(query, RESULTS).findIndex(({ doc }) => doc === target);
    const page = Math.floor(at / PER_PAGE) + 1;
    if (at >= 0 && (best === null || page < best.page)) best = { query, page };
  }
  return best;
}
