import { Rng } from "../../../stages/seed.ts";
import type { Product, ProductOption } from "../catalogue/product.ts";
import type { Goal } from "../goals/goal.ts";
import { identityOf } from "../goals/human_goals.ts";
import type { ShopKind } from "./kinds.ts";
import { brands, type Department, departments, type OptionName, optionValues } from "./lexicon.ts";
import { drawOption, makeProduct, numberedAsins, type ProductDraft } from "./make_product.ts";
import { drawKind, generatorVersion, type ShopCoordinates, splitOf } from "./shop_coordinates.ts";

/** A shop of a few products that was made for one goal. */
export interface SmallShop {
  readonly products: readonly Product[];
  readonly goal: Goal;
  readonly kind: ShopKind;
}

/** What is to be bought. */
interface Wish {
  readonly kind: ShopKind;
  readonly department: Department;
  readonly noun: string;
  readonly attribute: string;
  readonly options: Readonly<Partial<Record<OptionName, string>>>;
  /** The price is lower than this; a multiple of ten. */
  readonly bound: number;
}

/** Values of an option that a page shows. */
const VALUES = 3;

/** A task of level 0 or 1: the target, products that miss one condition, and, from level 1 on, others. */
export function smallShop(at: ShopCoordinates): SmallShop {
  const rng = new Rng(`shop/${generatorVersion}/${at.split}/${at.level}/${at.index}`);
  const wish = drawWish(at, rng);
  const makers = rng.shuffle(brands);
  let made = 0;
  const draft = (change: Partial<ProductDraft>): ProductDraft => ({
    department: wish.department,
    brand: makers[made++ % makers.length],
    noun: wish.noun,
    shown: [wish.attribute],
    hidden: [],
    price: wish.bound - 5 * (1 + rng.int(3)),
    options: optionsWith(wish, rng, wish.options),
    ...change,
  });
  const drafts = [draft(wish.kind === "feature" ? { shown: [], hidden: [wish.attribute] } : {})];
  for (const change of decoys(wish, at.level, rng)) drafts.push(draft(change));
  const asins = numberedAsins(drafts.length, rng);
  const products = drafts.map((each, i) => makeProduct(asins[i], each));
  return { products: rng.shuffle(products), goal: goalOf(products[0], wish), kind: wish.kind };
}

/** Draws until the wish belongs to the split: no wish is in two splits. */
function drawWish(at: ShopCoordinates, rng: Rng): Wish {
  const kind = drawKind(at, rng);
  for (;;) {
    const department = rng.pick(departments);
    const names = kind === "two_options"
      ? department.options
      : kind === "option"
      ? [rng.pick(department.options)]
      : [];
    const wish = {
      kind,
      department,
      noun: rng.pick(department.nouns),
      attribute: rng.pick(department.attributes),
      options: Object.fromEntries(names.map((name) => [name, rng.pick(optionValues[name])])),
      bound: 10 * (2 + rng.int(5)),
    };
    const { noun, attribute, options } = wish;
    if (splitOf([kind, noun, attribute, ...Object.values(options)].join("/")) === at.split) return wish;
  }
}

/** How the other products differ from the target; each lacks what the wish asks for. */
function decoys(wish: Wish, level: number, rng: Rng): Partial<ProductDraft>[] {
  const { kind, attribute, department, bound } = wish;
  const others = rng.shuffle(department.attributes.filter((other) => other !== attribute));
  const otherTitle = (i: number): Partial<ProductDraft> => ({ shown: [others[i]] });
  const some = level === 0 ? 1 : 1 + rng.int(2);
  const list: Partial<ProductDraft>[] = [];
  if (kind === "price") {
    for (let i = 0; i <= some; i++) list.push({ price: bound + 5 * (1 + rng.int(4)) });
  } else if (kind === "feature") {
    for (let i = 0; i < some; i++) list.push({ shown: [], hidden: [others[i + 1]] });
  } else {
    list.push(otherTitle(1));
    if (kind !== "plain" && level > 0 && rng.chance(0.35)) list.push({ options: lacking(wish, rng) });
  }
  list.push(otherTitle(0));
  if (level > 0) {
    const stranger = rng.pick(department.nouns.filter((noun) => noun !== wish.noun));
    list.push({ noun: stranger, options: [] });
  }
  return list;
}

/** The options of a product that offers what is wished for; others may be there too. */
function optionsWith({ department }: Wish, rng: Rng, wanted: Wish["options"]): readonly ProductOption[] {
  return department.options.flatMap((name) => {
    const must = wanted[name];
    return must === undefined ? [] : [drawOption(name, VALUES, rng, { must })];
  });
}

/** The same without one of the values. */
function lacking({ department, options }: Wish, rng: Rng): readonly ProductOption[] {
  const names = department.options.filter((name) => options[name] !== undefined);
  const without = rng.pick(names);
  return names.map((name) =>
    drawOption(name, VALUES, rng, name === without ? { mustNot: options[name]! } : { must: options[name]! })
  );
}

function goalOf(target: Product, { attribute, options, bound, noun }: Wish): Goal {
  return {
    ...identityOf(target),
    instruction_text: instructionText(noun, [attribute], options, bound),
    attributes: [attribute],
    price_upper: bound,
    goal_options: options as Record<string, string>,
    weight: 1,
  };
}

/** The sentence of a generated goal, in the form of the original's machine-made ones. */
export function instructionText(
  noun: string,
  attributes: readonly string[],
  options: Readonly<Record<string, string>>,
  bound: number,
): string {
  const choice = Object.keys(options).sort().map((name) => `${name}: ${options[name]}`).join(", and ");
  return `find me ${attributes.join(", ")} ${noun}${choice === "" ? "" : ` with ${choice}`}` +
    `, and price lower than ${bound.toFixed(2)} dollars`;
}
