import { schools } from "../../envs/schools.ts";
import { configKeys } from "../../stages/config/config_keys.ts";
import type { RunConfig } from "../../stages/config/run_config.ts";
import type { ConfigError } from "../../stages/errors.ts";

/** Keys of sections task and data that a demonstrator's lessons honour, or that mean nothing to them. */
const honoured = ["task.environment", "task.level", "task.eval_tasks", "task.eval_split", "data.bad_rows"];

/** Keys that say how reports are asked for and told, with the only values that lessons show. */
const told: Readonly<Record<string, string>> = {
  "algorithm.guidance": "suggestion",
  "algorithm.reflect_form": "report",
};

/**
 * What keeps the lessons of `demonstrations.curriculum` from being about the tasks of
 * this configuration, asked for and told in its way: its environment has no
 * demonstrator, or a key has a value that the demonstrator does not know.
 */
export function curriculumFaults(config: RunConfig): ConfigError["faults"] {
  const { environment, level } = config.task;
  if (!Object.hasOwn(schools, environment)) {
    const taught = Object.keys(schools).join(", ");
    const message = `${environment} has no demonstrator; it is of ${taught}`;
    return [{ path: "demonstrations.curriculum", message }];
  }
  const faults = configKeys().flatMap(({ path, fallback }) => {
    const section = path.slice(0, path.indexOf("."));
    const own = (section === "task" || section === "data") && !honoured.includes(path);
    if (!own && told[path] === undefined) return [];
    const expected = JSON.stringify(told[path] ?? fallback);
    const found = JSON.stringify(valueAt(config, path));
    return found === expected ? [] : [{ path, message: unknown(expected, found) }];
  });
  if (environment === "countdown" && level !== 0) {
    faults.push({ path: "task.level", message: unknown("0", String(level)) });
  }
  return faults;
}

const unknown = (expected: string, found: string) =>
  `lessons of a curriculum are made with ${expected}, got ${found}`;

function valueAt(config: RunConfig, path: string): unknown {
  return path.split(".").reduce((value: any, name) => value[name], config);
}
