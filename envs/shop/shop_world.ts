import type { Json, Split, Task } from "../env.ts";
import { EnvError } from "../../stages/errors.ts";
import { type Row, RowFault } from "../rows/row.ts";
import type { Catalogue } from "./catalogue/catalogue.ts";
import { memoryCatalogue } from "./catalogue/memory_catalogue.ts";
import { largeCatalogue, largeGoal } from "./generate/large_shop.ts";
import { generatedNouns } from "./generate/lexicon.ts";
import { generatorVersion, type ShopCoordinates, type ShopLevel } from "./generate/shop_coordinates.ts";
import { smallShop } from "./generate/small_shop.ts";
import { type Goal, parseGoal } from "./goals/goal.ts";
import type { PageMode } from "./pages/render_page.ts";

/** A shop and what is to be bought there. */
export interface ShopWorld {
  readonly catalogue: Catalogue;
  readonly goal: Goal;
  readonly mode: PageMode;
  readonly showAttributes: boolean;
  readonly maxTurns: number;
}

/** A task's payload. */
export type ShopPayload =
  & { readonly maxTurns: number; readonly mode: PageMode; readonly showAttributes?: boolean }
  & (
    | ({ readonly shop: "generated"; readonly version: number } & ShopCoordinates)
    /** A goal in the catalogue that the environment was made with. */
    | { readonly shop: "given"; readonly goal: Json }
  );

/** Products of the generated catalogues that the tasks of a level share. */
const sizes: Readonly<Record<number, number>> = { 2: 200, 3: 2000 };
const shared = new Map<number, Catalogue>();

const keep = 64;
const small = new Map<string, ReturnType<typeof generate>>();

/** A generated shop and goal; small ones are kept for the attempts at their task. */
export function generatedShop(at: ShopCoordinates) {
  const key = JSON.stringify([at.split, at.index, at.level, at.kinds ?? null]);
  const known = small.get(key);
  if (known !== undefined) return known;
  const made = generate(at, key);
  small.set(key, made);
  if (small.size > keep) small.delete(small.keys().next().value!);
  return made;
}

function generate(at: ShopCoordinates, key: string) {
  const count = sizes[at.level];
  if (count === undefined) {
    const { products, goal, kind } = smallShop(at);
    return { catalogue: memoryCatalogue(`generated/${key}`, products, generatedNouns), goal, kind };
  }
  let catalogue = shared.get(at.level);
  if (catalogue === undefined) {
    const products = largeCatalogue(count, String(at.level));
    catalogue = memoryCatalogue(`generated/${at.level}`, products, generatedNouns);
    shared.set(at.level, catalogue);
  }
  return { catalogue, ...largeGoal(at, catalogue) };
}

/**
 * The world of a task; `given` is the catalogue of tasks that come from files.
 *
 * @throws EnvError that names what is wrong with the payload.
 */
export function shopWorld(task: Task, given: Catalogue | null): ShopWorld {
  const fail = (reason: string) =>
    new EnvError({ environment: "shop", task: task.id, operation: "reset", reason });
  const payload = task.payload as Row | null;
  if (typeof payload !== "object" || payload === null) {
    throw fail(`the payload is ${JSON.stringify(payload)}, not an object`);
  }
  const { maxTurns, mode, showAttributes = false } = payload;
  if (typeof maxTurns !== "number" || !Number.isSafeInteger(maxTurns) || maxTurns < 1) {
    throw fail(`maxTurns is ${maxTurns}, not a positive whole number`);
  }
  if (mode !== "text" && mode !== "text_rich") throw fail(`mode is ${mode}, not "text" or "text_rich"`);
  const rules = { mode, showAttributes: showAttributes === true, maxTurns } as const;
  if (payload.shop === "generated") return { ...generatedShop(coordinates(payload, fail)), ...rules };
  if (payload.shop !== "given") throw fail(`shop is ${payload.shop}, not "generated" or "given"`);
  if (given === null) throw fail("the task's goal needs the catalogue that it was made for");
  try {
    const goal = parseGoal((payload.goal ?? {}) as Row);
    if (given.find(goal.asin) === undefined) throw new RowFault("asin", `no product ${goal.asin}`);
    return { catalogue: given, goal, ...rules };
  } catch (error) {
    throw error instanceof RowFault ? fail(`goal: ${error.message}`) : error;
  }
}

function coordinates(payload: Row, fail: (reason: string) => EnvError): ShopCoordinates {
  const { version, split, index, level, kinds } = payload;
  if (version !== generatorVersion) {
    throw fail(`the task is of generator version ${version}, this is version ${generatorVersion}`);
  }
  if (![0, 1, 2, 3].includes(level as number)) throw fail(`level is ${level}, not 0, 1, 2 or 3`);
  if (!["train", "valid", "test"].includes(split as string)) throw fail(`split is ${split}`);
  return {
    split: split as Split,
    index: index as number,
    level: level as ShopLevel,
    ...(kinds === undefined ? {} : { kinds: kinds as Record<string, number> }),
  };
}
