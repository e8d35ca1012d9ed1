import { priceOf } from "../catalogue/catalogue.ts";
import type { Product } from "../catalogue/product.ts";
import type { Goal } from "./goal.ts";
import { identityOf } from "./human_goals.ts";
import { priceBound } from "./price_bound.ts";

/** What the file of attributes (`items_ins_v2.json`) says of a product. */
export interface MachineInstruction {
  readonly instruction: string;
  readonly attributes: readonly string[];
}

/** Goals that a program wrote: one for each combination of the product's option values. */
export function syntheticGoals(product: Product, { instruction, attributes }: MachineInstruction): Goal[] {
  const names = product.options.map(({ name }) => name).sort();
  let combinations: Readonly<Record<string, string>>[] = [{}];
  for (const name of names) {
    const { values } = product.options.find((option) => option.name === name)!;
    combinations = combinations.flatMap((chosen) => values.map((value) => ({ ...chosen, [name]: value })));
  }
  const { price_upper, words } = priceBound(priceOf(product), product.asin);
  return combinations.map((goal_options) => {
    const choice = names.map((name) => `${name}: ${goal_options[name]}`).join(", and ");
    return {
      ...identityOf(product),
      instruction_text: instruction + (choice === "" ? "" : ` with ${choice}`) + words,
      attributes,
      price_upper,
      goal_options,
      weight: 1,
    };
  });
}

/** Sets each goal's weight: the mean of 1/(number of goals with the attribute) over its attributes. */
export function weighGoals(goals: readonly Goal[]): Goal[] {
  const counts = new Map<string, number>();
  for (const { attributes } of goals) {
    for (const attribute of attributes) counts.set(attribute, (counts.get(attribute) ?? 0) + 1);
  }
  return goals.map((goal) => ({
    ...goal,
    weight: goal.attributes.reduce((sum, attribute) => sum + 1 / counts.get(attribute)!, 0) /
      goal.attributes.length,
  }));
}
