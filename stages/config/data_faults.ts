import type { ConfigFault } from "./consistency_faults.ts";
import { taskOrigin } from "./environment_names.ts";
import type { RunConfig } from "./run_config.ts";

/** What is wrong between `task.environment` and the files of section `data`. */
export function dataFaults({ task, data }: RunConfig, faulty: ReadonlySet<string>): readonly ConfigFault[] {
  if (faulty.has("task.environment")) return [];
  const origin = taskOrigin[task.environment];
  const shop = shopFaults(task.environment, data, faulty);
  if (shop.length > 0) return shop;
  const splits = ["train", "valid", "test"] as const;
  const given = splits.filter((split) => data[split] !== null || faulty.has(`data.${split}`));
  if (origin === "generated") {
    return given.map((split) => ({
      path: `data.${split}`,
      message: `task.environment ${task.environment} generates its tasks and reads no file, got ${
        JSON.stringify(data[split])
      }`,
    }));
  }
  if (origin === "either" && given.length === 0) return [];
  if (given.length === 0) {
    return [{
      path: "data.train",
      message: `task.environment ${task.environment} needs a file with its tasks`,
    }];
  }
  return [];
}

/** What is wrong with section `data.shop`. */
function shopFaults(
  environment: string,
  { shop, train, valid, test }: RunConfig["data"],
  faulty: ReadonlySet<string>,
): readonly ConfigFault[] {
  const keys = ["products", "attributes", "instructions", "nouns", "limit"] as const;
  if (keys.some((key) => faulty.has(`data.shop.${key}`))) return [];
  const fault = (key: string, message: string) => [{ path: `data.shop.${key}`, message }];
  const given = keys.find((key) => shop[key] !== null);
  if (environment !== "shop") {
    return given === undefined
      ? []
      : fault(given, `is for task.environment shop, got ${JSON.stringify(shop[given])} with ${environment}`);
  }
  if (shop.products === null) {
    if (given !== undefined) return fault("products", `is needed with data.shop.${given}`);
    const rows = [train, valid, test].find((path) => path !== null);
    return rows === undefined ? [] : fault("products", `is needed for the goals in ${rows}`);
  }
  const own = [shop.attributes, shop.instructions, train, valid, test];
  return own.some((path) => path !== null)
    ? []
    : fault("instructions", "no file says what to buy: give this one, data.shop.attributes or data.train");
}
