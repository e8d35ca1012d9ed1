import { Rng } from "../../../stages/seed.ts";
import { type Catalogue, priceOf } from "../catalogue/catalogue.ts";
import type { Product } from "../catalogue/product.ts";
import type { Goal } from "../goals/goal.ts";
import { identityOf } from "../goals/human_goals.ts";
import { findQuery } from "../find_query.ts";
import type { ShopKind } from "./kinds.ts";
import { brands, departments, type OptionName } from "./lexicon.ts";
import { drawOption, makeProduct, type ProductDraft } from "./make_product.ts";
import { drawKind, generatorVersion, type ShopCoordinates, splitOf } from "./shop_coordinates.ts";
import { instructionText } from "./small_shop.ts";

/** A goal in a large shop. */
export interface LargeGoal {
  readonly goal: Goal;
  readonly kind: ShopKind;
}

/** Draws before a level is given up. */
const TRIES = 2000;

/**
 * `count` products in families of look-alikes: each member differs from the first
 * in one attribute, one option, the price, or in what its title shows.
 */
export function largeCatalogue(count: number, label: string): Product[] {
  const rng = new Rng(`shop/${generatorVersion}/catalogue/${label}`);
  const asins = new Set<string>();
  while (asins.size < count) asins.add(`B${String(rng.int(1e9)).padStart(9, "0")}`);
  const drafts: ProductDraft[] = [];
  while (drafts.length < count) {
    const first = firstOfFamily(rng);
    drafts.push(first);
    for (let i = 2 + rng.int(4); i > 0; i--) drafts.push(varied(first, rng));
  }
  return rng.shuffle([...asins].map((asin, i) => makeProduct(asin, drafts[i])));
}

function firstOfFamily(rng: Rng): ProductDraft {
  const department = rng.pick(departments);
  const attributes = rng.shuffle(department.attributes).slice(0, 2 + rng.int(2));
  const shown = attributes.filter((_, i) => i === 0 || rng.chance(0.6));
  const count = rng.weighted([0, 1, 2], [1, 2, 2]);
  return {
    department,
    brand: rng.pick(brands),
    noun: rng.pick(department.nouns),
    shown,
    hidden: attributes.filter((attribute) => !shown.includes(attribute)),
    price: 5 * (3 + rng.int(30)),
    options: department.options.slice(0, count).map((name) => drawOption(name, 2 + rng.int(3), rng)),
  };
}

function varied(first: ProductDraft, rng: Rng): ProductDraft {
  const { department, shown, hidden, options } = first;
  const fresh = rng.pick(
    department.attributes.filter((one) => !shown.includes(one) && !hidden.includes(one)),
  );
  const brand = rng.pick(brands);
  switch (rng.int(4)) {
    case 0:
      return { ...first, brand, shown: [...shown.slice(0, -1), fresh] };
    case 1:
      return { ...first, brand, price: first.price + 5 * (3 + rng.int(6)) };
    case 2:
      return { ...first, brand, shown: shown.slice(0, -1), hidden: [...hidden, shown[shown.length - 1]] };
    default:
      return {
        ...first,
        brand,
        options: options.map(({ name, values }) => drawOption(name as OptionName, values.length, rng)),
      };
  }
}

/**
 * A goal of level 2 or 3 for one of the catalogue's products, whose ASIN says
 * which split it belongs to. Some query finds the product.
 *
 * @throws RangeError if no product makes a goal of the drawn kind.
 */
export function largeGoal(at: ShopCoordinates, catalogue: Catalogue): LargeGoal {
  const rng = new Rng(`shop/${generatorVersion}/${at.split}/${at.level}/${at.index}`);
  const kind = drawKind(at, rng);
  for (let i = 0; i < TRIES; i++) {
    const product = catalogue.product(rng.int(catalogue.size));
    if (splitOf(product.asin) !== at.split) continue;
    const made = drawGoal(product, at.level, rng);
    if (made.kind === kind && findQuery(made.goal, catalogue) !== null) return made;
  }
  throw new RangeError(`no product of split ${at.split} makes a goal of kind ${kind}`);
}

function drawGoal(product: Product, level: number, rng: Rng): LargeGoal {
  const attributes = rng.shuffle(product.attributes).slice(0, level - 1 + rng.int(2));
  const wanted = product.options.filter(() => rng.chance(0.7));
  const options = Object.fromEntries(wanted.map(({ name, values }) => [name, rng.pick(values)]));
  const bound = 10 * (Math.floor(priceOf(product) / 10) + 1 + rng.int(2));
  const hidden = attributes.some((attribute) => !product.title.includes(attribute));
  const kind = hidden ? "feature" : (["plain", "option", "two_options"] as const)[wanted.length];
  const goal = {
    ...identityOf(product),
    instruction_text: instructionText(product.query, attributes, options, bound),
    attributes,
    price_upper: bound,
    goal_options: options,
    weight: 1,
  };
  return { goal, kind };
}
