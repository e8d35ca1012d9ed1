import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import fc from "fast-check";
import type { Product } from "../../../envs/shop/catalogue/product.ts";
import type { Goal } from "../../../envs/shop/goals/goal.ts";
import { guessNouns } from "../../../envs/shop/reward/guess_nouns.ts";
import { normalizeColor } from "../../../envs/shop/reward/normalize_color.ts";
import { purchaseReward } from "../../../envs/shop/reward/purchase_reward.ts";
import { sequenceRatio } from "../../../envs/shop/reward/sequence_ratio.ts";
import { tokenSetRatio } from "../../../envs/shop/reward/token_set_ratio.ts";
import { fixture, productOf } from "./_fixture.ts";

Deno.test("token_set_ratio is thefuzz's", () => {
  for (const [a, b, value] of fixture<[string, string, number][]>("token_set_ratio.json")) {
    assertEquals(tokenSetRatio(a, b), value, `${a} | ${b}`);
  }
});

Deno.test("token_set_ratio is 100 for permuted, repeated and contained words, and total", () => {
  const words = fc.array(fc.constantFrom("red", "dark", "x", "large", "7.5"), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(words, words, (a, b) => {
      const whole = [...a, ...b].join(" ");
      assertEquals(tokenSetRatio(a.join(" "), whole), 100);
      assertEquals(tokenSetRatio([...a].reverse().join("-"), [...a, ...a].join(" ")), 100);
    }),
  );
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (a, b) => {
      const value = tokenSetRatio(a, b);
      assert(Number.isInteger(value) && value >= 0 && value <= 100);
    }),
  );
});

Deno.test("the popular characters of a long text do not start a block, as in difflib", () => {
  // difflib.SequenceMatcher(None, "x" + "ab" * 100, "ab" * 100).ratio() and with "xy" in front of both
  assertEquals(sequenceRatio("x" + "ab".repeat(100), "ab".repeat(100)), 0);
  assertAlmostEquals(sequenceRatio("xy" + "ab".repeat(100), "xy" + "ab".repeat(100)), 1, 1e-12);
  assertAlmostEquals(sequenceRatio("abcd", "bcde"), 0.75, 1e-12);
});

Deno.test("colours are the first word of the list that is contained", () => {
  assertEquals(["dark red", "standard", "x-large", "navy blue"].map(normalizeColor), [
    "dark",
    "tan",
    "x-large",
    "blue",
  ]);
});

const sneakers = "Mens D.O.N. Issue 2 Gca Basketball Sneakers Shoes Casual - Off White";

function goalOf(fields: Partial<Goal>): Goal {
  return {
    asin: "B000TEST01",
    category: "",
    query: "Query 1",
    name: sneakers,
    product_category: "a › b › c",
    instruction_text: "",
    attributes: ["tea tree", "essential oils", "natural ingredients"],
    price_upper: 40,
    goal_options: { color: "grey", size: "XL" },
    weight: 1,
    ...fields,
  };
}

function rewardOf(goal: Goal, product: Partial<Product>, chosen: readonly string[], price = 35): number {
  const bought = productOf({ query: "Query 1", productCategory: "a › b › c", title: sneakers, ...product });
  const [nouns, goalNouns] = [guessNouns(bought.title), guessNouns(goal.name)];
  return purchaseReward(goal, { product: bought, price, chosen, nouns, goalNouns }).reward;
}

Deno.test("WebShop's own cases of the reward", () => {
  const attributes = ["tea tree", "essential oil", "natural ingredients"];
  assertEquals(rewardOf(goalOf({}), { attributes }, ["grey", "XL"]), 1);
  const texts = {
    title: sneakers,
    bullets: ["This shampoo has essential oils and smells like lemons"],
    description: "Best shampoo on the market, made with natural ingredients",
  };
  assertAlmostEquals(rewardOf(goalOf({ goal_options: {} }), texts, []), 3 / 4, 1e-12);
  assertAlmostEquals(rewardOf(goalOf({}), texts, ["grey", "XL"]), 5 / 6, 1e-12);
  const three = goalOf({ goal_options: { color: "grey", size: "XL", amount: "pack of 12" } });
  assertAlmostEquals(rewardOf(three, texts, ["grey", "XL"]), 5 / 7, 1e-12);
  const fuzzy = goalOf({ goal_options: ["cool powder snow", "XL", "pack of 12"] });
  assertEquals(rewardOf(fuzzy, { attributes }, ["pack of 12", "powder snow", "XL"]), 1);
});

Deno.test("another kind of product: 0.5 without a likeness, 0.1 for a title unlike, 0 for one without a common noun", () => {
  const goal = goalOf({ attributes: ["soft"], goal_options: [], name: "a b c d e f g h i j k" });
  const goalNouns = "abcdefghijk".split("");
  const typeOf = (nouns: readonly string[], product: Partial<Product> = {}) => {
    const bought = productOf({ query: "other", productCategory: "x › y", ...product });
    return purchaseReward(goal, { product: bought, price: 1, chosen: [], nouns, goalNouns }).type;
  };
  assertEquals(typeOf(["a", "b", "c"]), 1);
  assertEquals(typeOf(["a", "b"]), 0.5);
  assertEquals(typeOf(["a"]), 0.1);
  assertEquals(typeOf([]), 0);
  assertEquals(typeOf(["a", "b"], { query: "Query 1" }), 1);
  assertEquals(typeOf(["a", "b"], { productCategory: "b › z › a" }), 1);
  assertEquals(typeOf(["a"], { query: "Query 1" }), 0.1);
});

Deno.test("mending one option, attribute or the price never lowers the reward, which is in [0, 1]", () => {
  const attributes = fc.subarray(["soft", "machine wash", "bpa free"], { minLength: 1 });
  const values = fc.subarray(["red", "x-large", "pack of 12"]);
  fc.assert(
    fc.property(
      attributes,
      values,
      fc.nat(6),
      fc.nat(6),
      fc.boolean(),
      (wanted, asked, has, chose, cheap) => {
        const goal = goalOf({ attributes: wanted, goal_options: asked });
        const own = wanted.slice(0, has);
        const price = cheap ? 30 : 50;
        const reward = rewardOf(goal, { attributes: own }, asked.slice(0, chose), price);
        assert(reward >= 0 && reward <= 1);
        assert(
          rewardOf(goal, { attributes: wanted.slice(0, has + 1) }, asked.slice(0, chose), price) >= reward,
        );
        assert(rewardOf(goal, { attributes: own }, asked.slice(0, chose + 1), price) >= reward);
        assert(rewardOf(goal, { attributes: own }, asked.slice(0, chose), 30) >= reward);
        assertEquals(rewardOf(goal, { attributes: wanted }, asked, 30), 1);
      },
    ),
  );
});
