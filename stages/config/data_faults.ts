import type { ConfigFault } from "./consistency_faults.ts";
import { taskOrigin } from "./environment_names.ts";
import type { RunConfig } from "./run_config.ts";

/** What is wrong between `task.environment` and the files of section `data`. */
export function dataFaults({ task, data }: RunConfig, faulty: ReadonlySet<string>): readonly ConfigFault[] {
  if (faulty.has("task.environment")) return [];
  const origin = taskOrigin[task.environment];
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
