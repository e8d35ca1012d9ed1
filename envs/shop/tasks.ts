import type { Json, Split, Task, TaskSource } from "../env.ts";
import { levelOf } from "../level.ts";
import { generatorVersion } from "./generate/shop_coordinates.ts";
import type { Goal } from "./goals/goal.ts";
import { orderGoals, splitGoals } from "./goals/order_goals.ts";
import type { PageMode } from "./pages/render_page.ts";
import { generatedShop, type ShopPayload } from "./shop_world.ts";

/** Which generated tasks, and how they are played. */
export interface ShopTaskOptions {
  /** 0 to 3. */
  readonly level: number;
  /** Relative frequencies of the kinds. */
  readonly kinds?: Readonly<Record<string, number>>;
  /** Turn limit; default by level. */
  readonly maxTurns?: number;
  /** Default `text_rich`. */
  readonly mode?: PageMode;
}

/** Turn limits by level; that of the R³L release, 15, for tasks from files. */
export const shopMaxTurns = [10, 15, 15, 20] as const;

/**
 * Endless generated tasks; a task's payload is its coordinates. A level or kind
 * that does not exist is a RangeError when a task is asked for.
 */
export function shopTasks(
  { level: given, kinds, maxTurns, mode = "text_rich" }: ShopTaskOptions,
): TaskSource {
  return {
    size: () => Infinity,
    task(split, index): Task {
      const level = levelOf(given);
      const at = { split, index, level, ...(kinds === undefined ? {} : { kinds }) };
      const { kind } = generatedShop(at);
      const payload: ShopPayload = {
        shop: "generated",
        version: generatorVersion,
        ...at,
        maxTurns: maxTurns ?? shopMaxTurns[level],
        mode,
      };
      return {
        id: `shop/${split}/${level}/${String(index).padStart(6, "0")}`,
        kind,
        payload: payload as unknown as Json,
      };
    },
  };
}

/** Tasks of goals in a given catalogue, in the original's order and splits. */
export function goalTasks(
  goals: readonly Goal[],
  { maxTurns = 15, mode = "text_rich" }: Pick<ShopTaskOptions, "maxTurns" | "mode">,
): TaskSource {
  const splits = splitGoals(orderGoals(goals));
  return {
    size: (split) => splits[split].length,
    task(split, index) {
      const goal = splits[split][index];
      if (goal === undefined) {
        throw new RangeError(`shop: split ${split} has ${splits[split].length} tasks, no task ${index}`);
      }
      return goalTask(goal, split, index, { maxTurns, mode });
    },
  };
}

/** A task of one goal; its kind is the product's category. */
export function goalTask(
  goal: Goal,
  split: Split,
  index: number,
  rules: Required<Pick<ShopTaskOptions, "maxTurns" | "mode">>,
): Task {
  const payload: ShopPayload = { shop: "given", goal: goal as unknown as Json, ...rules };
  const id = `shop/${split}/${String(index).padStart(6, "0")}/${goal.asin}`;
  return { id, kind: goal.category || "goal", payload: payload as unknown as Json };
}
