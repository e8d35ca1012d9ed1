import type { Catalogue } from "../catalogue/catalogue.ts";
import { priceTag, type Product } from "../catalogue/product.ts";
import { pythonFloat, pythonJson } from "../python_text.ts";
import { currentProduct, resultsOf, type Session, shownResults } from "../session.ts";

/** A text of a page and what it is: a button, a value of an option, a link to a product, or plain. */
export interface PageNode {
  readonly kind: "text" | "button" | "option" | "product";
  readonly text: string;
}

/** What the pages of a visit are made from. */
export interface PageOptions {
  readonly catalogue: Catalogue;
  readonly instruction: string;
  /** Item pages have a button to the product's attributes. */
  readonly showAttributes: boolean;
  /** Reward of the purchase, for the last page. */
  readonly reward: number;
}

const plain = (text: string): PageNode => ({ kind: "text", text });
const button = (text: string): PageNode => ({ kind: "button", text });

/** The visible texts of a session's page in document order. */
export function pageNodes(session: Session, options: PageOptions): readonly PageNode[] {
  const { catalogue, instruction } = options;
  if (session.page === "index") {
    return [plain("WebShop"), plain("Instruction: "), plain(instruction), button("Search")];
  }
  if (session.page === "done") return lastPage(session, options.reward);
  const top = [plain("Instruction:"), plain(instruction), button("Back to Search")];
  if (session.page === "search_results") return [...top, ...results(session, catalogue)];
  const product = currentProduct(session, catalogue);
  const back = [...top, button("< Prev")];
  return session.page === "item_page"
    ? [...back, ...item(product, options.showAttributes)]
    : [...back, ...subPage(session, product)];
}

function results(session: Session, catalogue: Catalogue): PageNode[] {
  return [
    plain(`Page ${session.number} (Total results: ${resultsOf(session, catalogue).length})`),
    ...(session.number > 1 ? [button("< Prev")] : []),
    button("Next >"),
    ...shownResults(session, catalogue).flatMap((number): PageNode[] => {
      const product = catalogue.product(number);
      return [{ kind: "product", text: product.asin }, plain(product.title), plain(priceTag(product))];
    }),
  ];
}

function item(product: Product, showAttributes: boolean): PageNode[] {
  return [
    ...product.options.flatMap(({ name, values }): PageNode[] => [
      plain(name),
      ...values.map((text): PageNode => ({ kind: "option", text })),
    ]),
    plain(product.title),
    plain(`Price: ${priceTag(product)}`),
    plain("Rating: N.A."),
    button("Description"),
    button("Features"),
    button("Reviews"),
    ...(showAttributes ? [button("Attributes")] : []),
    button("Buy Now"),
  ];
}

/** Reviews are empty: the original does not load them. */
function subPage({ sub }: Session, product: Product): PageNode[] {
  switch (sub) {
    case "description":
      return [plain(product.description)];
    case "features":
      return product.bullets.map((bullet) => plain(` ${bullet}`));
    case "attributes":
      return [
        ...product.attributes.map((attribute) => plain(` ${attribute}`)),
        plain(product.category),
        plain(product.query),
        plain(product.productCategory),
      ];
    default:
      return [];
  }
}

/** The original's text environment fills in no more than this. */
function lastPage({ asin, options }: Session, reward: number): PageNode[] {
  const chosen = pythonJson([...options].sort(([a], [b]) => (a < b ? -1 : 1)));
  const safe = chosen.replace(
    /[<>&']/g,
    (unit) => "\\u" + unit.charCodeAt(0).toString(16).padStart(4, "0"),
  );
  return [
    "Thank you for shopping with us!",
    "Your code: ",
    "None",
    " (Paste it in your MTurk interface.)",
    "Purchased",
    "asin",
    asin ?? "",
    "options",
    safe,
    "attrs",
    "None",
    "category",
    "None",
    "query",
    "None",
    "product category",
    "None",
    "Target",
    "asin",
    "options",
    "attrs",
    "price upper",
    "instuction text",
    "category",
    "product category",
    "query",
    "Goal ",
    "None",
    "Reward",
    "Your score (min 0.0, max 1.0)",
    pythonFloat(reward),
    "Reward Details ",
    "None",
  ].map(plain);
}
