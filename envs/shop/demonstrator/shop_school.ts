import { demonstrate } from "../../demonstrate.ts";
import type { School } from "../../demonstrator.ts";
import type { LogLine, Task } from "../../env.ts";
import { shopFormat } from "../format.ts";
import { Shop } from "../shop.ts";
import { type ShopTaskOptions, shopTasks } from "../tasks.ts";
import { diagnoseVisit } from "./diagnose_visit.ts";
import { FlawedShopper } from "./flawed_shopper.ts";
import { ShopBelief } from "./shop_belief.ts";
import { drawShopFlaws } from "./shop_flaws.ts";
import { shopPhrases, shopWords } from "./shop_vocabulary.ts";

/** The shop's demonstrator over the training split; pages are `text_rich`. */
export function shopSchool(options: Omit<ShopTaskOptions, "mode">): School {
  const tasks = shopTasks(options);
  return {
    lessons: demonstrate({
      env: new Shop(),
      task: (index) => tasks.task("train", index) as Task,
      cast: (curriculum, rng) => {
        const flaws = drawShopFlaws(curriculum, rng);
        return (first, log, rng, guidance) => new FlawedShopper(beliefAt(first, log), flaws, rng, guidance);
      },
      diagnose: diagnoseVisit,
    }),
    format: shopFormat,
    phrases: shopPhrases,
    words: shopWords,
  };
}

function beliefAt(first: string, log: readonly LogLine[]): ShopBelief {
  const belief = ShopBelief.start(first);
  if (belief === null) {
    throw new RangeError(`Cannot demonstrate: no generated instruction in ${JSON.stringify(first)}`);
  }
  for (const { action, observation } of log) belief.update(action, observation);
  return belief;
}
