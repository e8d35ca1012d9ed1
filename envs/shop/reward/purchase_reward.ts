import type { Product } from "../catalogue/product.ts";
import { type Goal, goalOptions } from "../goals/goal.ts";
import { normalizeColor, normalizePair } from "./normalize_color.ts";
import { tokenSetRatio } from "./token_set_ratio.ts";

/** What was bought. */
export interface Purchase {
  readonly product: Product;
  /** Dollars paid. */
  readonly price: number;
  /** Chosen values. */
  readonly chosen: readonly string[];
  /** Nouns of the product's and of the goal's title, lower case. */
  readonly nouns: readonly string[];
  readonly goalNouns: readonly string[];
}

/** A reward in [0, 1] and its parts, as WebShop reports them. */
export interface PurchaseReward {
  readonly reward: number;
  /** Whether it is the kind of product that was asked for: 1, 0.5, 0.1 or 0. */
  readonly type: number;
  readonly queryMatch: boolean;
  readonly categoryMatch: boolean;
  readonly titleScore: number;
  /** The goal's attributes and values that are not met, in its order. */
  readonly missingAttributes: readonly string[];
  readonly missingOptions: readonly string[];
  readonly priceMet: boolean;
}

/** Above this two texts are the same to WebShop. */
const SAME = 85;

/**
 * WebShop's reward of a purchase (its `engine/goal.py`), with A attributes and O
 * option values asked for:
 *
 *   r = r_type · (matched attributes + matched values + [price ≤ upper]) / (A + O + 1)
 */
export function purchaseReward(goal: Goal, purchase: Purchase): PurchaseReward {
  const kind = productType(goal, purchase);
  const { product, price, chosen } = purchase;
  const missingAttributes = goal.attributes.filter((attribute) => !hasAttribute(product, attribute));
  const normal = chosen.map(normalizeColor);
  const asked = goalOptions(goal);
  const missingOptions = asked.filter(([name, value]) => {
    const wanted = name === null ? normalizeColor(value) : normalizePair(name, value);
    return !normal.some((own) => tokenSetRatio(own, wanted) > SAME);
  }).map(([, value]) => value);
  const priceMet = price <= goal.price_upper;
  const met = goal.attributes.length - missingAttributes.length + asked.length - missingOptions.length;
  const parts = goal.attributes.length + asked.length + 1;
  const reward = kind.type * ((met + Number(priceMet)) / parts);
  return { reward, ...kind, missingAttributes, missingOptions, priceMet };
}

function productType(goal: Goal, { product, nouns, goalNouns }: Purchase) {
  const queryMatch = product.query === goal.query;
  const parts = (path: string) => new Set(path.split("›").map((part) => part.trim()));
  const categoryMatch = parts(product.productCategory).intersection(parts(goal.product_category)).size >= 2;
  const shared = new Set(nouns).intersection(new Set(goalNouns)).size;
  const titleScore = goalNouns.length === 0 ? 0.2 : shared / goalNouns.length;
  let type = queryMatch || categoryMatch || titleScore > 0.2 ? 1 : 0.5;
  if (titleScore < 0.1) type = 0.1;
  if (titleScore === 0) type = 0;
  return { type, queryMatch, categoryMatch, titleScore };
}

function hasAttribute({ attributes, title, bullets, description }: Product, wanted: string): boolean {
  return attributes.some((own) => tokenSetRatio(own, wanted) > SAME) ||
    [title, bullets.join(" "), description].some((text) => text.toLowerCase().includes(wanted));
}
