import { parseAction } from "./action.ts";
import type { Catalogue } from "./catalogue/catalogue.ts";

/** Which page is shown. */
export type PageName = "index" | "search_results" | "item_page" | "item_sub_page" | "done";

/** Sub pages of an item; `attributes` only where the shop shows them. */
export type SubPage = "description" | "features" | "reviews" | "attributes";

/** The state of a visit, without the goal. */
export interface Session {
  readonly page: PageName;
  /** Words of the last search; null on the index page. */
  readonly keywords: readonly string[] | null;
  /** Page of results, from 1; may lie past the last one. */
  readonly number: number;
  readonly asin: string | null;
  /** ASINs opened since the index page. */
  readonly visited: readonly string[];
  /** Chosen values by option name, in the order of their first choice. */
  readonly options: readonly (readonly [string, string])[];
  readonly sub: SubPage | null;
}

/** The page that a visit starts on. */
export const indexPage: Session = {
  page: "index",
  keywords: null,
  number: 1,
  asin: null,
  visited: [],
  options: [],
  sub: null,
};

/** Results that a search finds at most, and that a page shows. */
export const RESULTS = 50;
export const PER_PAGE = 10;

/** The last search of each catalogue: a page asks for its results several times. */
const last = new WeakMap<Catalogue, { readonly query: string; readonly results: readonly number[] }>();

/** Numbers of all products that the search of a session finds, best first. */
export function resultsOf(session: Session, catalogue: Catalogue): readonly number[] {
  const query = (session.keywords ?? []).join(" ");
  const known = last.get(catalogue);
  if (known?.query === query) return known.results;
  const results = catalogue.index.search(query, RESULTS).map(({ doc }) => doc);
  last.set(catalogue, { query, results });
  return results;
}

/** Those of the current page. */
export function shownResults(session: Session, catalogue: Catalogue): readonly number[] {
  return resultsOf(session, catalogue).slice((session.number - 1) * PER_PAGE, session.number * PER_PAGE);
}

/** The labels that can be clicked, lower case, in the original's order. */
export function clickables(session: Session, catalogue: Catalogue, showAttributes: boolean): string[] {
  switch (session.page) {
    case "index":
      return ["search"];
    case "search_results": {
      const asins = shownResults(session, catalogue).map((number) => catalogue.product(number).asin);
      const turns = session.number > 1 ? ["< prev", "next >"] : ["next >"];
      return [...new Set(["back to search", ...turns, ...asins.map((asin) => asin.toLowerCase())])];
    }
    case "item_page": {
      const { options } = currentProduct(session, catalogue);
      const buttons = [
        "back to search",
        "< prev",
        "description",
        "features",
        "reviews",
        ...(showAttributes ? ["attributes"] : []),
        "buy now",
      ];
      return [...new Set([...buttons, ...options.flatMap(({ values }) => values)])];
    }
    case "item_sub_page":
      return ["back to search", "< prev"];
    case "done":
      return [];
  }
}

/** The product that an item page, a sub page or the last page is about. */
export function currentProduct({ asin }: Session, catalogue: Catalogue) {
  return catalogue.product(catalogue.find(asin ?? "")!);
}

/**
 * The session after an action; the same object if the action is none or leads
 * nowhere. A search works on every page.
 */
export function act(session: Session, text: string, catalogue: Catalogue, showAttributes: boolean): Session {
  const action = parseAction(text);
  if (action === null || session.page === "done") return session;
  const { name, argument } = action;
  if (name === "search") return searched(session, argument.split(" "), 1);
  if (name !== "click" || argument === "search") return session;
  return clickables(session, catalogue, showAttributes).includes(argument)
    ? clicked(session, argument, catalogue)
    : session;
}

function searched(session: Session, keywords: readonly string[], number: number): Session {
  return { ...session, page: "search_results", keywords, number, asin: null, options: [], sub: null };
}

/** In the original's order: a label of two meanings has the first. */
function clicked(session: Session, label: string, catalogue: Catalogue): Session {
  const { page, keywords, number } = session;
  if (label === "buy now") return { ...session, page: "done" };
  if (label === "back to search") return indexPage;
  if (label === "next >" && page === "search_results") return searched(session, keywords!, number + 1);
  if (label === "< prev") {
    if (page === "search_results") return searched(session, keywords!, number - 1);
    if (page === "item_sub_page") return { ...session, page: "item_page", sub: null };
    return searched(session, keywords!, number);
  }
  if (label === "description" || label === "features" || label === "reviews" || label === "attributes") {
    return { ...session, page: "item_sub_page", sub: label };
  }
  if (page === "search_results") {
    const asin = label.toUpperCase();
    return { ...session, page: "item_page", asin, visited: [...new Set([...session.visited, asin])] };
  }
  // Of two groups with the same value the later one has the button.
  const group = currentProduct(session, catalogue).options.findLast(({ values }) => values.includes(label))!;
  const options = new Map(session.options).set(group.name, label);
  return { ...session, options: [...options] };
}
