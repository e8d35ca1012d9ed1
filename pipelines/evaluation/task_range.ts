import { Effect } from "effect";
import { Environment, type Split } from "../../envs/env.ts";
import type { EnvError } from "../../stages/errors.ts";
import type { TaskAt } from "../../stages/record.ts";

/** Tasks `from` to `from + count - 1` of a split (of a finite one, no more than there are), in order. */
export const taskRange = Effect.fnUntraced(function* (split: Split, from: number, count: number) {
  const environment = yield* Environment;
  const last = Math.min(from + count, environment.size(split));
  const tasks: TaskAt[] = [];
  for (let cursor = from; cursor < last; cursor++) {
    tasks.push({ cursor, task: yield* environment.task(split, cursor) });
  }
  return tasks as readonly TaskAt[];
}) satisfies (
  split: Split,
  from: number,
  count: number,
) => Effect.Effect<readonly TaskAt[], EnvError, Environment>;
