import type { SeenProduct, ShopBelief } from "./shop_belief.ts";

/** The next command of a shopper and what it is for. */
export interface ShopStep {
  readonly action: string;
  /** A goal on the way: `search mug bpa free`, `take red`, `take below 40`, `check bpa free`, `buy`. */
  readonly subgoal: string;
  /** The rule that it follows. */
  readonly kind: "search" | "title" | "price" | "check" | "option" | "buy";
  /** Commands that are as good. */
  readonly also?: readonly string[];
}

/** Rules that a shopper does not know. */
export interface ShopFlaws {
  /** Chooses no option. */
  readonly skipOptions?: boolean;
  /** Takes for granted what the title does not say. */
  readonly skipCheck?: boolean;
  /** Looks at no price. */
  readonly ignorePrice?: boolean;
  /** Takes the first product of the right kind, whatever its title says. */
  readonly misread?: boolean;
}

/**
 * The next step from what the pages have shown: search, open the first product
 * whose title and price fit and that is not known to lack anything, look up in its
 * features what the title does not say, choose the options, buy. Never null.
 */
export function shopPlan(belief: ShopBelief, flaws: ShopFlaws = {}): ShopStep {
  const { place, wish, current, products } = belief;
  const named = [wish.noun, ...wish.attributes].join(" ");
  if (place === "index") return { action: `search[${named}]`, subgoal: `search ${named}`, kind: "search" };
  if (place === "results") return open(belief, flaws);
  const product = products.get(current ?? "");
  if (product === undefined) {
    return { action: "click[back to search]", subgoal: `search ${named}`, kind: "search" };
  }
  const leave = "click[< prev]";
  const check = goal(belief, "check");
  if (place === "sub") return { action: leave, subgoal: check, kind: "check" };
  if (!fitsTitle(product, belief)) return { action: leave, subgoal: goal(belief, "title"), kind: "title" };
  if (!flaws.ignorePrice && product.price > wish.bound) {
    return { action: leave, subgoal: goal(belief, "price"), kind: "price" };
  }
  if (!flaws.skipCheck && unseen(product, belief).length > 0) {
    return {
      action: product.features === undefined ? "click[features]" : leave,
      subgoal: check,
      kind: "check",
    };
  }
  if (!flaws.skipOptions) {
    const subgoal = goal(belief, "option");
    if (lacksValue(product, belief)) return { action: leave, subgoal, kind: "option" };
    const open = wish.values.filter((value) => !belief.chosen.includes(value));
    const [action, ...also] = open.map((value) => `click[${value}]`);
    if (action !== undefined) return { action, subgoal, kind: "option", also };
  }
  return { action: "click[buy now]", subgoal: "buy", kind: "buy" };
}

/** Opens a product, or looks for more of them. */
function open(belief: ShopBelief, flaws: ShopFlaws): ShopStep {
  const { wish, shown, products, page, total } = belief;
  const all = shown.map((asin) => products.get(asin)!);
  const fitting = all.filter((product) => fitsTitle(product, belief));
  const alike = flaws.misread ? all.filter(({ title }) => title.split(" ").includes(wish.noun)) : fitting;
  const left = alike.filter((product) =>
    (flaws.ignorePrice || product.price <= wish.bound) &&
    !(product.features !== undefined && unseen(product, belief).length > 0) &&
    !lacksValue(product, belief)
  );
  const least = Math.min(...left.map((product) => unseen(product, belief).length));
  const best = left.filter((product) => flaws.misread || unseen(product, belief).length === least);
  const [action, ...also] = best.map(({ asin }) => `click[${asin}]`);
  const kind = reason(fitting, best[0], belief);
  const subgoal = goal(belief, kind);
  if (action !== undefined) return { action, subgoal, kind, also };
  if (page * 10 < total) return { action: "click[next >]", subgoal, kind };
  const words = belief.searches < 2 ? [wish.noun, ...wish.attributes, ...wish.values] : [wish.noun];
  return { action: `search[${words.join(" ")}]`, subgoal: `search ${words.join(" ")}`, kind: "search" };
}

/** The rule by which a product is chosen among those on the page. */
function reason(
  fitting: readonly SeenProduct[],
  best: SeenProduct | undefined,
  belief: ShopBelief,
): ShopStep["kind"] {
  const refuted = fitting.some((product) =>
    product.features !== undefined && unseen(product, belief).length > 0
  );
  if (refuted || (best !== undefined && unseen(best, belief).length > 0)) return "check";
  if (fitting.some((product) => lacksValue(product, belief))) return "option";
  const dear = fitting.some((product) =>
    product.price > belief.wish.bound && unseen(product, belief).length === 0
  );
  return dear ? "price" : "title";
}

/** A kind's end in a few words. */
function goal({ wish }: ShopBelief, kind: ShopStep["kind"]): string {
  if (kind === "check") return `check ${wish.attributes.join(" ")}`;
  if (kind === "option") return `take ${wish.values.join(" ")}`;
  if (kind === "price") return `take below ${wish.bound}`;
  return `take ${wish.attributes.join(" ")}`;
}

/** The right kind of product, and its title says nothing against what is asked for. */
function fitsTitle(product: SeenProduct, belief: ShopBelief): boolean {
  const { title } = product;
  if (!title.split(" ").includes(belief.wish.noun)) return false;
  // Brand and noun alone leave open what it is like; other attributes do too where several are asked for.
  return unseenInTitle(product, belief).length === 0 || title.split(" ").length === 2 ||
    belief.wish.attributes.length > 1;
}

function unseenInTitle({ title }: SeenProduct, { wish }: ShopBelief): readonly string[] {
  return wish.attributes.filter((attribute) => !title.includes(attribute));
}

/** Attributes that neither title nor features name. */
function unseen(product: SeenProduct, belief: ShopBelief): readonly string[] {
  return unseenInTitle(product, belief).filter((attribute) => !product.features?.includes(attribute));
}

function lacksValue({ offered }: SeenProduct, { wish }: ShopBelief): boolean {
  return offered !== undefined && wish.values.some((value) => !offered.includes(value));
}
