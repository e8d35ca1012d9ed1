import { assertEquals } from "@std/assert";
import type { Product } from "../../../envs/shop/catalogue/product.ts";
import { renderPage } from "../../../envs/shop/pages/render_page.ts";
import { clickables, indexPage, type Session } from "../../../envs/shop/session.ts";
import { catalogueOf, fixture, productOf } from "./_fixture.ts";

interface Pages {
  readonly products: readonly {
    readonly asin: string;
    readonly Title: string;
    readonly Price: string;
    readonly Description: string;
    readonly BulletPoints: readonly string[];
    readonly options: Readonly<Record<string, readonly string[]>>;
  }[];
  readonly instruction: string;
  readonly pages: Readonly<
    Record<
      string,
      { text: string; text_rich: string; has_search_bar: boolean; clickables: readonly string[] }
    >
  >;
}

const { products, instruction, pages } = fixture<Pages>("pages.json");
const shop = products.map((p): Product =>
  productOf({
    asin: p.asin,
    title: p.Title,
    description: p.Description,
    bullets: p.BulletPoints,
    prices: [Number(p.Price.slice(1))],
    options: Object.entries(p.options).map(([name, values]) => ({ name, values })),
  })
);
const results: Session = { ...indexPage, page: "search_results", keywords: ["candle"] };
const item: Session = { ...results, page: "item_page", asin: "B000TEST01" };
const sub = (name: NonNullable<Session["sub"]>): Session => ({ ...item, page: "item_sub_page", sub: name });

const sessions: Readonly<Record<string, Session>> = {
  index: indexPage,
  results_p1: results,
  results_p2_after_visit: { ...results, number: 2, visited: ["B000TEST11"] },
  results_empty: { ...results, keywords: ["nothing"] },
  item,
  item_clicked: { ...item, options: [["color", "red"], ["size", "large"]] },
  features: sub("features"),
  description: sub("description"),
  reviews: sub("reviews"),
  done: { ...item, page: "done", options: [["color", "red"]] },
};

Deno.test("every page fixture comes out exactly, in both modes, with its buttons", () => {
  assertEquals(Object.keys(sessions), Object.keys(pages));
  const catalogue = catalogueOf(shop, (query) => query === "nothing" ? [] : shop.map(({ asin }) => asin));
  for (const [name, session] of Object.entries(sessions)) {
    const options = { catalogue, instruction, showAttributes: false, reward: 0.75 };
    assertEquals(renderPage(session, "text", options), pages[name].text, name);
    assertEquals(renderPage(session, "text_rich", options), pages[name].text_rich, name);
    assertEquals(clickables(session, catalogue, false), [...pages[name].clickables], name);
    assertEquals(session.page === "index", pages[name].has_search_bar, name);
  }
});
