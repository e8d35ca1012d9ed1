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

/** Where OpenEnv's splits begin if no seeds are named: every third seed is of one split, without end. */
const ownSeeds: Readonly<Record<Split, number>> = { train: 0, valid: 1, test: 2 };

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
  const rangeOf = (split: Split): Seeds => {
    const range = config[split];
    if (range !== null) return { first: range[0], step: 1, count: range[1] - range[0] };
    return { first: ownSeeds[split], step: 3, count: config.protocol === "openenv" ? Infinity : 0 };
  };
  return {
    size: (split) => files[split] === null ? rangeOf(split).count : rows.size(split),
    task(split, index) {
      if (files[split] !== null) return rows.task(split, index);
      const { first, step, count } = rangeOf(split);
      if (index >= count) throw new RangeError(`remote: split ${split} has ${count} tasks, no task ${index}`);
      const seed = first + step * index;
      const data: Json = { [field]: seed };
      return { id: `remote/${split}/${seed}`, kind, payload: { data, maxTurns } };
    },
  };
}

interface Seeds {
  readonly first: number;
  readonly step: number;
  readonly count: number;
}
