import type { Catalogue } from "./catalogue/catalogue.ts";
import type { Product } from "./catalogue/product.ts";
import { findQuery } from "./find_query.ts";
import { type Goal, goalOptions } from "./goals/goal.ts";
import { judge } from "./judge.ts";
import { normalizeColor, normalizePair } from "./reward/normalize_color.ts";
import { tokenSetRatio } from "./reward/token_set_ratio.ts";
import { act, type Session } from "./session.ts";

/**
 * Commands that buy the goal's product with full reward from this session: the
 * product's options from where it is shown, else a search for it first. Empty if no
 * query finds it, if its options cannot be had, or if it does not earn 1 itself.
 */
export function oracle(session: Session, goal: Goal, catalogue: Catalogue): string[] {
  const target = catalogue.find(goal.asin);
  if (session.page === "done" || target === undefined) return [];
  const product = catalogue.product(target);
  const wanted = wantedValues(product, goal);
  if (wanted === null) return [];
  const choices = [...wanted].map(([, value]) => `click[${value}]`);
  for (const way of waysTo(session, product, goal, catalogue)) {
    let at = session;
    for (const command of [...way, ...choices]) at = act(at, command, catalogue, false);
    if (at.page === "item_page" && at.asin === goal.asin && judge(at, goal, catalogue).reward >= 1) {
      const held = new Map(way.length === 0 || way[0] === "click[< prev]" ? session.options : []);
      const open = [...wanted].filter(([name, value]) => held.get(name) !== value);
      return [...way, ...open.map(([, value]) => `click[${value}]`), "click[buy now]"];
    }
  }
  return [];
}

/** Ways to the item page, the shortest first. */
function* waysTo(session: Session, { asin }: Product, goal: Goal, catalogue: Catalogue): Iterable<string[]> {
  if (session.asin === asin && session.page === "item_page") yield [];
  if (session.asin === asin && session.page === "item_sub_page") yield ["click[< prev]"];
  const found = findQuery(goal, catalogue);
  if (found === null) return;
  const pages = Array.from({ length: found.page - 1 }, () => "click[next >]");
  yield [`search[${found.query}]`, ...pages, `click[${asin.toLowerCase()}]`];
}

/** A value for each option that the goal asks for, by the option's name; null if one is not to be had. */
function wantedValues({ options }: Product, goal: Goal): ReadonlyMap<string, string> | null {
  const wanted = new Map<string, string>();
  for (const [asked, value] of goalOptions(goal)) {
    const text = asked === null ? normalizeColor(value) : normalizePair(asked, value);
    const offers = options.filter(({ name }) => !wanted.has(name)).flatMap(({ name, values }) =>
      values.map((own) => ({ name, own, alike: tokenSetRatio(normalizeColor(own), text) }))
    ).filter(({ name, alike }) => alike > 85 && (asked === null || asked === name));
    const offer = offers.find(({ own }) => own === value) ?? offers[0];
    if (offer === undefined) return null;
    wanted.set(offer.name, offer.own);
  }
  return wanted;
}
