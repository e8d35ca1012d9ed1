import type { EpisodeVerdict } from "../env.ts";
import { type Catalogue, priceOf } from "./catalogue/catalogue.ts";
import type { Goal } from "./goals/goal.ts";
import { type PurchaseReward, purchaseReward } from "./reward/purchase_reward.ts";
import { currentProduct, type Session } from "./session.ts";

/** The reward of buying the product that a session is at. */
export function judge(session: Session, goal: Goal, catalogue: Catalogue): PurchaseReward {
  const product = currentProduct(session, catalogue);
  return purchaseReward(goal, {
    product,
    price: priceOf(product),
    chosen: session.options.map(([, value]) => value),
    nouns: catalogue.nouns(product.title),
    goalNouns: catalogue.nouns(goal.name),
  });
}

/** The verdict in one line: the first condition that the purchase does not meet. */
export function verdictOf(outcome: PurchaseReward | null): string {
  if (outcome === null) return "Failure: not bought.";
  const { reward, type, missingAttributes: [attribute], missingOptions: [option] } = outcome;
  if (reward >= 1) return "Success.";
  if (type < 1) return "Failure: wrong product.";
  const missing = attribute ?? option;
  return missing === undefined ? "Failure: too expensive." : `Failure: not ${missing}.`;
}

/** The verdict for statistics. */
export function countedVerdict(outcome: PurchaseReward | null): EpisodeVerdict {
  const counted = (category: string): EpisodeVerdict => ({
    outcome: category === "ok" ? "right" : "wrong",
    category,
    answer: null,
  });
  if (outcome === null) return counted("not_bought");
  if (outcome.reward >= 1) return counted("ok");
  if (outcome.type < 1) return counted("wrong_product");
  if (outcome.missingAttributes.length > 0) return counted("attribute_missing");
  return counted(outcome.missingOptions.length > 0 ? "option_missing" : "too_expensive");
}
