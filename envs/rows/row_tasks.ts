import type { Split, Task, TaskSource } from "../env.ts";
import { readRows } from "./read_rows.ts";
import type { Row } from "./row.ts";

/** Data files by split; null is a split without tasks. */
export type SplitFiles = Readonly<Record<Split, string | null>>;

/** What {@link rowTasks} needs. */
export interface RowTaskOptions {
  /** First part of the tasks' ids. */
  readonly name: string;
  readonly files: SplitFiles;
  /** Largest share of rows that may be left out as malformed. */
  readonly badRows: number;
  /** Makes the parser of a file's rows; it throws RowFault. */
  readonly parser: (path: string) => RowParser | Promise<RowParser>;
}

/** A row as a task; to its id come environment, split and position. */
export type RowParser = (row: Row, index: number) => Task;

/**
 * Tasks read from data files, one split each. Rows left out are told to `warn`.
 *
 * @throws FileError that names file, row and field.
 */
export async function rowTasks(
  { name, files, badRows, parser }: RowTaskOptions,
  warn: (message: string) => void = () => {},
): Promise<TaskSource> {
  const tasks: Record<Split, readonly Task[]> = { train: [], valid: [], test: [] };
  for (const split of ["train", "valid", "test"] as const) {
    const path = files[split];
    if (path === null) continue;
    const { rows, leftOut } = await readRows(path, await parser(path), badRows);
    if (leftOut.length > 0) {
      warn(
        `${path}: ${leftOut.length} of ${rows.length + leftOut.length} rows left out; first: ${leftOut[0]}`,
      );
    }
    tasks[split] = rows.map((task, i) => ({
      ...task,
      id: `${name}/${split}/${String(i).padStart(6, "0")}/${task.id}`,
    }));
  }
  return {
    size: (split) => tasks[split].length,
    task(split, index) {
      const task = tasks[split][index];
      if (task !== undefined) return task;
      throw new RangeError(`${name}: split ${split} has ${tasks[split].length} tasks, no task ${index}`);
    },
  };
}
