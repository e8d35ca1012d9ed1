import type { RemoteConfig } from "../../stages/config/remote_config.ts";
import type { Json, Split, TaskSource } from "../env.ts";
import { rowTasks, type SplitFiles } from "../rows/row_tasks.ts";
import { agentGymGames } from "./agentgym/agentgym_games.ts";

/** What {@link remoteTasks} makes tasks from. */
export interface RemoteTaskOptions {
  readonly config: RemoteConfig;
  readonly files: SplitFiles;
  readonly badRows: number;
  /** Turn limit of an episode. */
  readonly maxTurns: number;
}

/** Seeds of OpenEnv's splits where none are named: disjoint, and below 2³¹. */
const ownSeeds: Readonly<Record<Split, readonly [number, number]>> = {
  train: [0, 1_000_000_000],
  valid: [1_000_000_000, 1_500_000_000],
  test: [1_500_000_000, 2_000_000_000],
};

/**
 * Tasks of a server: a row of a data file is the data of its reset (its text `kind`,
 * if there is one, is kept here); otherwise one seed, or with AgentGym one index, a task.
 *
 * @throws FileError for a data file that cannot be read
 */
export async function remoteTasks(
  { config, files, badRows, maxTurns }: RemoteTaskOptions,
  warn: (message: string) => void,
): Promise<TaskSource> {
  const rows = await rowTasks({
    name: "remote",
    files,
    badRows,
    parser: () => (row, index) => {
      const { kind, ...data } = row;
      const known = typeof kind === "string" && kind !== "";
      return {
        id: String(index),
        kind: known ? kind : "remote",
        payload: { data: known ? data : row, maxTurns },
      };
    },
  }, warn);
  const field = config.protocol === "openenv" ? "seed" : agentGymGames[config.game].index;
  const kind = config.protocol === "openenv" ? "remote" : config.game;
  const rangeOf = (split: Split) =>
    config[split] ?? (config.protocol === "openenv" ? ownSeeds[split] : [0, 0] as const);
  return {
    size: (split) => files[split] === null ? rangeOf(split)[1] - rangeOf(split)[0] : rows.size(split),
    task(split, index) {
      if (files[split] !== null) return rows.task(split, index);
      const [first, end] = rangeOf(split);
      if (index >= end - first) {
        throw new RangeError(`remote: split ${split} has ${end - first} tasks, no task ${index}`);
      }
      const data: Json = { [field]: first + index };
      return { id: `remote/${split}/${first + index}`, kind, payload: { data, maxTurns } };
    },
  };
}
