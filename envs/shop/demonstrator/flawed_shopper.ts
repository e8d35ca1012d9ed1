import type { Rng } from "../../../stages/seed.ts";
import type { Player } from "../../demonstrate.ts";
import type { ShopBelief } from "./shop_belief.ts";
import type { DrawnFlaws } from "./shop_flaws.ts";
import { shopPlan } from "./shop_plan.ts";

/**
 * A shopper that plans from what it has seen, with some rules missing. Under
 * guidance it is flawless until the suggested end is reached, and flawed again after
 * it: otherwise guidance would be a mere switch and its content ignored.
 */
export class FlawedShopper implements Player {
  readonly #belief: ShopBelief;
  readonly #flaws: DrawnFlaws;
  readonly #rng: Rng;
  #guidance: string;

  constructor(belief: ShopBelief, flaws: DrawnFlaws, rng: Rng, guidance = "") {
    this.#belief = belief;
    this.#flaws = flaws;
    this.#rng = rng;
    this.#guidance = guidance;
  }

  act(): string {
    if (this.#guidance !== "") {
      const wise = shopPlan(this.#belief);
      if (wise.subgoal === this.#guidance) return wise.action;
      this.#guidance = "";
    }
    if (this.#rng.chance(this.#flaws.slip)) return this.#anything();
    return shopPlan(this.#belief, this.#flaws).action;
  }

  observe(action: string, observation: string): void {
    this.#belief.update(action, observation);
  }

  /** A click that makes sense on the page. */
  #anything(): string {
    const { place, shown, current, products, wish } = this.#belief;
    if (place === "index") return `search[${wish.noun}]`;
    if (place === "sub") return "click[back to search]";
    if (place === "results") {
      return this.#rng.pick([
        "click[next >]",
        ...shown.map((asin) => `click[${asin}]`),
      ]);
    }
    const offered = products.get(current ?? "")?.offered ?? [];
    const values = offered.map((value) => `click[${value}]`);
    return this.#rng.pick(["click[< prev]", "click[description]", "click[buy now]", ...values]);
  }
}
