import { readWish, type ShopWish } from "./wish.ts";

/** A product as the pages have shown it so far. */
export interface SeenProduct {
  readonly asin: string;
  readonly title: string;
  readonly price: number;
  /** Values on offer, once its page was open. */
  readonly offered?: readonly string[];
  /** What its features say, once they were read. */
  readonly features?: readonly string[];
}

/** What a page is, as its text shows. */
type Place = "index" | "results" | "item" | "sub";

const PRODUCT = /\n\[(?:clicked )?button\] (\S+) \[(?:clicked )?button_\]\n([^\n]*)\n\$([\d.]+)/g;
const OPTION = /^ {2}\[(clicked )?button\] (.*) \[(?:clicked )?button_\]$/;

/** What a shopper can know from the texts alone (`text_rich`). */
export class ShopBelief {
  place: Place = "index";
  /** The product whose page or sub page is shown. */
  current: string | null = null;
  /** ASINs of the page of results that was seen last, in order. */
  shown: readonly string[] = [];
  /** Page of results, and how many results there are. */
  page = 1;
  total = 0;
  /** Searches so far. */
  searches = 0;
  /** Values chosen on the current item page. */
  chosen: readonly string[] = [];
  readonly products = new Map<string, SeenProduct>();

  constructor(readonly wish: ShopWish) {}

  /** The belief after the first page; null if its instruction is of no known form. */
  static start(page: string): ShopBelief | null {
    const wish = readWish(page);
    return wish === null ? null : new ShopBelief(wish);
  }

  /** Takes in the page that an action led to. */
  update(action: string, page: string): void {
    const results = /\nPage (\d+) \(Total results: (\d+)\)/.exec(page);
    if (results !== null) return this.#results(action, page, Number(results[1]), Number(results[2]));
    if (page.startsWith("WebShop")) {
      this.place = "index";
      this.current = null;
      return;
    }
    const lines = page.split("\n");
    const price = lines.findIndex((line) => line.startsWith("Price: $"));
    if (price >= 0) return this.#item(action, lines, price);
    if (!page.includes("\n[button] < Prev [button_]\n")) return;
    this.place = "sub";
    if (action.toLowerCase() === "click[features]") {
      const from = lines.indexOf("[button] < Prev [button_]") + 1;
      const features = lines.slice(from).map((line) => line.trim()).filter((line) => line !== "");
      this.#know(this.current!, { features });
    }
  }

  #results(action: string, page: string, number: number, total: number): void {
    if (action.startsWith("search[")) this.searches++;
    this.place = "results";
    this.current = null;
    this.page = number;
    this.total = total;
    this.shown = [...page.matchAll(PRODUCT)].map(([, asin, title, price]) => {
      this.#know(asin, { title, price: Number(price) });
      return asin;
    });
  }

  #item(action: string, lines: readonly string[], price: number): void {
    const opened = /^click\[(.*)\]$/.exec(action)?.[1].toUpperCase() ?? "";
    if (this.products.has(opened)) this.current = opened;
    this.place = "item";
    const options = lines.flatMap((line) => {
      const option = OPTION.exec(line);
      return option === null ? [] : [{ value: option[2], chosen: option[1] !== undefined }];
    });
    this.chosen = options.filter(({ chosen }) => chosen).map(({ value }) => value);
    this.#know(this.current!, {
      title: lines[price - 1],
      price: Number(lines[price].slice("Price: $".length)),
      offered: options.map(({ value }) => value),
    });
  }

  #know(asin: string, news: Partial<SeenProduct>): void {
    const known = this.products.get(asin) ?? { asin, title: "", price: 0 };
    this.products.set(asin, { ...known, ...news });
  }
}
