import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import type { Product } from "../../../envs/shop/catalogue/product.ts";
import { type Goal, parseGoal } from "../../../envs/shop/goals/goal.ts";
import { identityOf } from "../../../envs/shop/goals/human_goals.ts";
import { purchaseReward } from "../../../envs/shop/reward/purchase_reward.ts";
import type { Row } from "../../../envs/rows/row.ts";
import { act, indexPage, type Session, shownResults } from "../../../envs/shop/session.ts";
import { catalogueOf, fixture, productOf } from "./_fixture.ts";

interface Step {
  readonly page: string;
  readonly content?: {
    readonly keywords?: readonly string[] | string;
    readonly search_result_asins?: readonly string[];
    readonly page?: number | string;
    readonly asin?: string;
    readonly options?: Readonly<Record<string, string>>;
    readonly price?: number;
  };
  readonly reward?: number;
  readonly reward_info?: Readonly<Record<string, number | boolean>>;
}

const recorded = fixture<Record<string, { readonly goal: Row; readonly steps: readonly Step[] }>>(
  "human_sessions.json",
);

/** The products of a session, with the options that were chosen, and the results of its searches. */
function shopOf(steps: readonly Step[]) {
  const products = new Map<string, Product>();
  const results = new Map<string, string[]>();
  for (const { content } of steps) {
    for (const asin of content?.search_result_asins ?? []) products.set(asin, productOf({ asin }));
    if (content?.search_result_asins !== undefined) {
      const query = (content.keywords as readonly string[]).join(" ");
      const list = results.get(query) ?? [];
      list.splice((Number(content.page) - 1) * 10, 10, ...content.search_result_asins);
      results.set(query, list);
    }
    if (content?.asin !== undefined) {
      const options = Object.entries(content.options!).map(([name, value]) => ({ name, values: [value] }));
      products.set(content.asin, productOf({ asin: content.asin, options }));
    }
  }
  return catalogueOf([...products.values()], (query) => results.get(query) ?? []);
}

/** What a person clicked to get from one page to the next. */
function commandsTo(step: Step, before: Session): readonly string[] {
  const { page, content } = step;
  switch (page) {
    case "index":
      return before === indexPage ? [] : ["click[Back to Search]"];
    case "search_results": {
      if (before.page === "item_page") return ["click[< Prev]"];
      const keywords = content!.keywords as readonly string[];
      return Number(content!.page) === before.number + 1 && before.page === "search_results"
        ? ["click[Next >]"]
        : [`search[${keywords.join(" ")}]`];
    }
    case "item_page": {
      const fresh = Object.entries(content!.options!).filter(([name, value]) =>
        !before.options.some(([own, chosen]) => own === name && chosen === value)
      );
      if (before.page === "item_sub_page") return ["click[< Prev]"];
      return before.asin === null ? [`click[${content!.asin}]`] : fresh.map(([, value]) => `click[${value}]`);
    }
    case "item_sub_page":
      return ["click[Description]"];
    default:
      return ["click[Buy Now]"];
  }
}

Deno.test("the nine human sessions go through the same pages", () => {
  assertEquals(Object.keys(recorded).length, 9);
  for (const [name, { steps }] of Object.entries(recorded)) {
    const catalogue = shopOf(steps);
    let session: Session = indexPage;
    for (const step of steps) {
      for (const command of commandsTo(step, session)) session = act(session, command, catalogue, false);
      const { page, content } = step;
      assertEquals(session.page as string, page, name);
      if (page === "search_results") {
        const asins = shownResults(session, catalogue).map((number) => catalogue.product(number).asin);
        assertEquals(asins, [...content!.search_result_asins!], name);
        assertEquals(session.keywords, content!.keywords as readonly string[], name);
        assertEquals(session.number, Number(content!.page), name);
      }
      if (page !== "index" && page !== "search_results") {
        assertEquals(session.asin, content!.asin!, name);
        assertEquals(Object.fromEntries(session.options), content!.options!, name);
      }
    }
    assertEquals(session.page, "done", name);
  }
});

Deno.test("the nine human sessions get the same reward from the same parts", () => {
  for (const [name, { goal: row, steps }] of Object.entries(recorded)) {
    const goal = parseGoal(row);
    const { content, reward, reward_info: info } = steps.at(-1)!;
    const { product, nouns, goalNouns } = boughtFor(goal, info!, content!.options!);
    const price = content!.price!;
    const chosen = Object.values(content!.options!);
    const own = purchaseReward(goal, { product, price, chosen, nouns, goalNouns });
    assertAlmostEquals(own.reward, reward!, 1e-12, name);
    assertEquals(own.type, info!.r_type as number, name);
    assertEquals(own.queryMatch, info!.query_match as boolean, name);
    assertEquals(own.categoryMatch, info!.category_match as boolean, name);
    assertAlmostEquals(own.titleScore, info!.title_score as number, 1e-12, name);
    assertEquals(own.priceMet, info!.r_price as boolean, name);
    const asked = Object.values(goal.goal_options).length;
    if (asked > 0) {
      assertAlmostEquals(1 - own.missingOptions.length / asked, info!.r_option as number, 1e-12, name);
    }
    assertAlmostEquals(
      1 - own.missingAttributes.length / goal.attributes.length,
      info!.r_att as number,
      1e-12,
      name,
    );
  }
});

/** A product with the recorded likeness: its own texts were not recorded. */
function boughtFor(goal: Goal, info: Readonly<Record<string, number | boolean>>, options: object) {
  const { query, product_category } = goal;
  const kept = Math.round(Number(info.r_att) * goal.attributes.length);
  const score = Number(info.title_score);
  const length = Array.from({ length: 60 }, (_, n) => n + 1)
    .find((n) => Math.abs(Math.round(score * n) / n - score) < 1e-12)!;
  const goalNouns = Array.from({ length }, (_, i) => `noun${i}`);
  const product = productOf({
    ...(info.query_match ? { query } : { query: "something else" }),
    productCategory: info.category_match ? product_category : "elsewhere",
    attributes: goal.attributes.slice(0, kept),
    options: Object.entries(options).map(([name, value]) => ({ name, values: [value] })),
  });
  assert(identityOf(product).asin !== goal.asin);
  return { product, nouns: goalNouns.slice(0, Math.round(score * length)), goalNouns };
}
