import type { Json } from "../env.ts";
import type { Catalogue } from "./catalogue/catalogue.ts";
import type { Session } from "./session.ts";

/** A session as plain JSON. */
export function sessionToJson(session: Session): Json {
  return { ...session } as unknown as Json;
}

const pages: readonly unknown[] = ["index", "search_results", "item_page", "item_sub_page", "done"];
const subs: readonly unknown[] = [null, "description", "features", "reviews", "attributes"];

/** The session that was saved. @throws RangeError if it is none of this catalogue. */
export function sessionFromJson(saved: Json | undefined, catalogue: Catalogue): Session {
  const session = (saved ?? {}) as unknown as Session;
  const { page, keywords, number, asin, visited, options, sub } = session;
  const check = (holds: boolean, field: string, value: unknown) => {
    if (!holds) throw new RangeError(`session.${field} is ${JSON.stringify(value)}`);
  };
  const isTexts = (list: unknown) => Array.isArray(list) && list.every((item) => typeof item === "string");
  const onProduct = page !== "index" && page !== "search_results";
  check(pages.includes(page), "page", page);
  check(page === "index" ? keywords === null : isTexts(keywords), "keywords", keywords);
  check(Number.isSafeInteger(number) && number >= 1, "number", number);
  check(onProduct ? catalogue.find(String(asin)) !== undefined : asin === null, "asin", asin);
  check(isTexts(visited), "visited", visited);
  check(
    Array.isArray(options) && options.every((pair) => isTexts(pair) && pair.length === 2),
    "options",
    options,
  );
  check(subs.includes(sub) && (sub !== null) === (page === "item_sub_page"), "sub", sub);
  return { page, keywords, number, asin, visited, options, sub };
}
