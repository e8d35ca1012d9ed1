import { Effect, Layer } from "effect";
import { FileError } from "../../stages/errors.ts";
import type { Environment, Split, TaskSource } from "../env.ts";
import type { EnvironmentChoice } from "../environment_choice.ts";
import { environmentLayer } from "../environment_layer.ts";
import { type Row, RowFault } from "../rows/row.ts";
import { rowTasks } from "../rows/row_tasks.ts";
import type { Catalogue } from "./catalogue/catalogue.ts";
import { type OpenCatalogue, readCatalogue } from "./catalogue/read_catalogue.ts";
import { diagnoseVisit } from "./demonstrator/diagnose_visit.ts";
import { shopFormat } from "./format.ts";
import { parseGoal } from "./goals/goal.ts";
import type { PageMode } from "./pages/render_page.ts";
import { releaseFormat } from "./release/release_format.ts";
import { releaseMaxTurns, ReleaseShop } from "./release/release_shop.ts";
import { Shop } from "./shop.ts";
import { goalTask, goalTasks, shopTasks } from "./tasks.ts";

/** What a configuration says about the shop. */
export interface ShopChoice {
  /** Files in WebShop's form; without `products` shops are generated. */
  readonly products: string | null;
  readonly attributes: string | null;
  readonly instructions: string | null;
  readonly nouns: string | null;
  /** Products that are read; null is all. */
  readonly limit: number | null;
  readonly pages: PageMode;
  /** WebShop's own rules, or those and the prompts of the R³L authors' workflow. */
  readonly rules: "webshop" | "r3l";
}

/**
 * The shop: generated tasks of a level, or a catalogue in WebShop's files with the
 * goals of its instructions or those in the choice's data files.
 */
export function shopLayer(choice: EnvironmentChoice): Layer.Layer<Environment, FileError> {
  const { products, rules: _, pages: __, ...files } = choice.shop;
  if (products === null) return layerOf(choice, null, generatedTasks(choice));
  return Layer.unwrap(Effect.gen(function* () {
    const warnings: string[] = [];
    const warn = (message: string) => warnings.push(message);
    const opened = yield* Effect.acquireRelease(
      reading(products, () => readCatalogue({ products, ...files, badRows: choice.badRows }, warn)),
      ({ close }) => Effect.sync(close),
    );
    const tasks = yield* reading(products, () => tasksIn(opened, choice, warn));
    for (const warning of warnings) yield* Effect.logWarning(warning);
    return layerOf(choice, opened.catalogue, tasks);
  }));
}

function layerOf(choice: EnvironmentChoice, given: Catalogue | null, tasks: TaskSource) {
  const { timeoutMs, shop: { pages, rules } } = choice;
  const common = { name: "shop", tasks, timeoutMs };
  if (rules === "r3l") {
    return environmentLayer({ ...common, make: () => new ReleaseShop(given), format: releaseFormat });
  }
  const readable = given === null && pages === "text_rich";
  return environmentLayer({
    ...common,
    make: () => new Shop(given),
    format: shopFormat,
    ...(readable ? { expert: (_task, first, log, feedback) => diagnoseVisit(first, log, feedback) } : {}),
  });
}

function generatedTasks({ level, maxTurns, kinds, shop: { pages, rules } }: EnvironmentChoice): TaskSource {
  return shopTasks({
    level,
    mode: pages,
    ...(maxTurns !== null ? { maxTurns } : rules === "r3l" ? { maxTurns: releaseMaxTurns } : {}),
    ...(kinds === null ? {} : { kinds }),
  });
}

/** Goals of the choice's data files if there are some, else those of the catalogue's instructions. */
async function tasksIn(
  { catalogue, goals }: OpenCatalogue,
  { files, badRows, maxTurns, shop: { pages: mode } }: EnvironmentChoice,
  warn: (message: string) => void,
): Promise<TaskSource> {
  const rules = { maxTurns: maxTurns ?? releaseMaxTurns, mode };
  if (Object.values(files).every((path) => path === null)) return goalTasks(goals, rules);
  const parser = (path: string) => {
    const split = (["train", "valid", "test"] as const).find((name) => files[name] === path) as Split;
    return (row: Row, index: number) => {
      const goal = parseGoal(row);
      if (catalogue.find(goal.asin) === undefined) {
        throw new RowFault("asin", `no product ${goal.asin} in the catalogue`);
      }
      return { ...goalTask(goal, split, index, rules), id: goal.asin };
    };
  };
  return await rowTasks({ name: "shop", files, badRows, parser }, warn);
}

function reading<A>(path: string, read: () => Promise<A>): Effect.Effect<A, FileError> {
  return Effect.tryPromise({
    try: read,
    catch: (error) => error instanceof FileError ? error : new FileError({ path, reason: String(error) }),
  });
}
