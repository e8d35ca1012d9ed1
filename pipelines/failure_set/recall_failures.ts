import { Effect, Stream } from "effect";
import { Environment } from "../../envs/env.ts";
import { readRows } from "../../envs/rows/read_rows.ts";
import { FileError, PolicyError } from "../../stages/errors.ts";
import { type GenerateRequest, Policy, type PolicyShape } from "../../stages/policy/policy.ts";
import type { Sampled, TaskAt } from "../../stages/record.ts";
import { sampleGroups, type SampleOptions } from "../../stages/sample/sample_groups.ts";
import { seedPath } from "../../stages/seed.ts";
import { batchStage, type Stage } from "../../stages/stage.ts";
import { trainIndex } from "../run/train_index.ts";
import { failureRow } from "./failure_row.ts";
import { promptHash } from "./prompt_hash.ts";

/** How stored attempts are played again. */
export interface RecallOptions extends Omit<SampleOptions, "attempts" | "seed"> {
  readonly batch: number;
  readonly seed: number;
  /** Largest share of malformed rows that are left out. */
  readonly badRows: number;
}

type Stored = ReturnType<typeof failureRow>;

/**
 * In place of `sample`: the task at each position becomes a row of the failure set
 * `path`, shuffled anew each epoch by `seed`, and its stored attempt is played again
 * with the stored tokens, so nothing is sampled. FileError names file, row and field
 * of a row that is malformed, of another task or prompt, or whose attempt now wins.
 */
export function recallFailures(
  path: string,
  options: RecallOptions,
): Stage<TaskAt, Sampled, FileError | PolicyError, Policy | Environment> {
  return (self) =>
    Stream.unwrap(Effect.gen(function* () {
      const policy = yield* Policy;
      const { rows, leftOut } = yield* Effect.tryPromise({
        try: () =>
          readRows(path, (row, index) => ({ ...failureRow(row, policy), row: index + 1 }), options.badRows),
        catch: (error) => error instanceof FileError ? error : new FileError({ path, reason: String(error) }),
      });
      if (leftOut.length > 0) {
        yield* Effect.logWarning(
          `${path}: ${leftOut.length} of ${rows.length + leftOut.length} rows left out; first: ${leftOut[0]}`,
        );
      }
      const places = self.pipe(Stream.map(({ cursor }) => {
        const stored = rows[trainIndex(cursor, options.seed, rows.length)];
        return { cursor, stored };
      }));
      return places.pipe(batchStage(options.batch, (batch) => replay(path, batch, options)));
    }));
}

interface Place {
  readonly cursor: number;
  readonly stored: Stored & { readonly row: number };
}

const replay = Effect.fn("sample")(function* (
  path: string,
  places: readonly Place[],
  options: RecallOptions,
) {
  const environment = yield* Environment;
  const policy = yield* Policy;
  const fault = ({ stored: { row } }: Place, field: string, reason: string) =>
    new FileError({ path, reason: `row ${row}, field ${field}: ${reason}` });
  const tasks = yield* Effect.forEach(places, (place) =>
    environment.task("train", place.stored.index).pipe(
      Effect.mapError((error) => fault(place, "index", error.message)),
      Effect.filterOrFail(
        ({ id }) => id === place.stored.id,
        ({ id }) =>
          fault(place, "id", `is ${place.stored.id}, but training task ${place.stored.index} is ${id}`),
      ),
      Effect.map((task): TaskAt => ({ cursor: place.cursor, task })),
    ));
  const byCursor = new Map(places.map((place) => [String(place.cursor), place]));
  const groups = yield* sampleGroups(tasks, {
    ...options,
    seed: seedPath(options.seed, "stored"),
    attempts: 1,
  }).pipe(
    Effect.provideService(Policy, replaying(path, policy, byCursor)),
  );
  for (const [i, { attempts: [attempt] }] of groups.entries()) {
    const { prompt_hash: expected, replies } = places[i].stored;
    if (attempt.failure !== undefined) continue;
    if (promptHash(attempt) !== expected) {
      return yield* fault(
        places[i],
        "prompt_hash",
        "the prompt, its template or the tokenizer is another one",
      );
    }
    if (attempt.won) return yield* fault(places[i], "replies", "the stored attempt wins: it is no failure");
    if (attempt.turns.length !== replies.length) {
      const reason = `the episode ends after ${attempt.turns.length} of ${replies.length} replies`;
      return yield* fault(places[i], "replies", reason);
    }
  }
  return groups;
});

/** The policy with the stored replies in place of sampled ones; they count as no sampled tokens. */
function replaying(path: string, policy: PolicyShape, byCursor: ReadonlyMap<string, Place>): PolicyShape {
  return {
    ...policy,
    generate: (requests) =>
      Effect.forEach(requests, ({ seed }: GenerateRequest) => {
        // <seed>/stored/<cursor>/<attempt>/<turn>
        const [, , cursor, , turn] = seed.split("/");
        const { stored } = byCursor.get(cursor)!;
        const reply = stored.replies[Number(turn)];
        if (reply === undefined) {
          const reason = `${path}: row ${stored.row}, field replies: ` +
            `the episode goes on after ${stored.replies.length} stored replies`;
          return Effect.fail(new PolicyError({ operation: "play a stored attempt again", reason }));
        }
        return Effect.succeed({ ids: reply.ids, logprobs: reply.ids.map(() => 0), stopReason: reply.stop });
      }),
  };
}
