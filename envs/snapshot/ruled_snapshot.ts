import { EnvError } from "../../stages/errors.ts";
import type { Json, Snapshot, Turn } from "../env.ts";

const version = 1;

/** What rules around an environment know of an episode; plain JSON. */
interface RuledSituation {
  readonly taskId: string;
  readonly turn: Turn;
}

/** A snapshot of an environment and of the rules around it. */
export function ruledSnapshot(now: RuledSituation, inner: Snapshot): Snapshot {
  return { version, now: now as unknown as Json, inner };
}

/** The two parts of a {@link ruledSnapshot}. @throws EnvError if it is of another version or none. */
export function readRuledSnapshot<S extends RuledSituation>(
  environment: string,
  snapshot: Snapshot,
): { readonly now: S; readonly inner: Snapshot } {
  const { version: found, now, inner } = (snapshot ?? {}) as Partial<Record<string, Json>>;
  const saved = now as unknown as S | undefined;
  if (found === version && typeof saved?.turn?.observation === "string" && inner !== undefined) {
    return { now: saved, inner };
  }
  throw new EnvError({
    environment,
    task: saved?.taskId ?? "",
    operation: "restore",
    reason: `snapshot version ${found}, expected ${version} with its situation`,
  });
}
