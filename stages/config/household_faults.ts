import type { ConfigFault } from "./consistency_faults.ts";
import type { RunConfig } from "./run_config.ts";

/** What is wrong between `task.environment` and the keys that only the household reads. */
export function householdFaults(
  { task: { environment, source, prompt }, data }: RunConfig,
  faulty: ReadonlySet<string>,
): readonly ConfigFault[] {
  const faults: ConfigFault[] = [];
  const add = (path: string, message: string, others: readonly string[]) => {
    if (![path, ...others].some((one) => faulty.has(one))) faults.push({ path, message });
  };
  const isHousehold = environment === "household";
  if (!isHousehold && source !== "generated") {
    add("task.source", `${source} is of task.environment household, not ${environment}`, [
      "task.environment",
    ]);
  }
  if (!isHousehold && prompt !== "plain") {
    add("task.prompt", `${prompt} is of task.environment household, not ${environment}`, [
      "task.environment",
    ]);
  }
  if (data.alfworld !== null && !(isHousehold && source === "alfworld")) {
    add("data.alfworld", "is read with task.environment household and task.source alfworld only", [
      "task.environment",
      "task.source",
    ]);
  }
  return faults;
}
