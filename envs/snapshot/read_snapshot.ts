import { EnvError } from "../../stages/errors.ts";
import type { Json, Snapshot, Task } from "../env.ts";

/** What every snapshot of an environment of ours holds, and the rest as it is. */
export interface SavedEpisode {
  readonly task: Task;
  /** Turns that were taken, a whole number. */
  readonly turns: number;
  readonly saved: Readonly<Partial<Record<string, Json>>>;
  /** The error for a part that is wrong. */
  readonly fail: (reason: string) => EnvError;
}

/** @throws EnvError if the snapshot is of another version, or lacks its task or its turns. */
export function readSnapshot(environment: string, version: number, snapshot: Snapshot): SavedEpisode {
  const saved = (snapshot ?? {}) as Partial<Record<string, Json>>;
  const task = saved.task as unknown as Task | undefined;
  const fail = (reason: string) =>
    new EnvError({ environment, task: task?.id ?? "", operation: "restore", reason });
  if (saved.version !== version) throw fail(`snapshot version ${saved.version}, expected ${version}`);
  if (typeof task?.id !== "string") throw fail("the snapshot lacks its task");
  const { turns } = saved;
  if (typeof turns !== "number" || !Number.isSafeInteger(turns) || turns < 0) {
    throw fail(`turns is ${turns}`);
  }
  return { task, turns, saved, fail };
}
