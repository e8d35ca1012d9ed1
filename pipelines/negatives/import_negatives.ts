import { Effect } from "effect";
import { Environment, type Task } from "../../envs/env.ts";
import { readRows } from "../../envs/rows/read_rows.ts";
import { RowFault, shown } from "../../envs/rows/row.ts";
import type { RunConfig } from "../../stages/config/run_config.ts";
import { FileError } from "../../stages/errors.ts";
import { Rng, seedPath } from "../../stages/seed.ts";
import { fitPrompt } from "./fit_prompt.ts";
import type { Gathered } from "./gather_negatives.ts";
import { type RecordedRow, recordedRow } from "./recorded_row.ts";

/** Recorded attempts at a task of split train. */
export interface RecordedTask extends RecordedRow {
  readonly task: Task;
  readonly index: number;
}

/**
 * The rows of `path` with the tasks they are about, found by the last part of the task's
 * id. Fails with FileError that names file, rows and fields.
 */
export const readRecorded = Effect.fnUntraced(function* (path: string, { data }: RunConfig) {
  const environment = yield* Environment;
  const size = environment.size("train");
  if (!Number.isFinite(size)) {
    const reason =
      `environment ${environment.name} generates its tasks; recorded attempts need those of a file`;
    return yield* Effect.fail(new FileError({ path, reason }));
  }
  const tasks = new Map<string, { readonly task: Task; readonly index: number }>();
  for (let index = 0; index < size; index++) {
    const task = yield* environment.task("train", index);
    tasks.set(task.id.split("/").slice(3).join("/"), { task, index });
  }
  const { rows, leftOut } = yield* Effect.tryPromise({
    try: () =>
      readRows(path, (raw, i): RecordedTask => {
        const row = recordedRow(raw, i);
        const place = tasks.get(row.id);
        if (place === undefined) throw new RowFault("uuid", `no task of split train is ${shown(row.id)}`);
        return { ...row, ...place };
      }, data.bad_rows),
    catch: (error) => error instanceof FileError ? error : new FileError({ path, reason: String(error) }),
  });
  for (const fault of leftOut) yield* Effect.logWarning(`${path}: ${fault}`);
  return rows;
});

/** Keeps failures that the environment too calls wrong, with different answers, in an order by the seed. */
export const importNegatives = Effect.fnUntraced(function* (
  { task, index, id, failures, samples, wins }: RecordedTask,
  config: RunConfig,
) {
  const environment = yield* Environment;
  const { keep, from } = config.negatives;
  const rows: Gathered["rows"][number][] = [];
  const answers = new Set<string>();
  let [usable, tooLong] = [0, 0];
  for (const failure of new Rng(seedPath("negatives", config.trainer.seed, id)).shuffle(failures)) {
    if (rows.length === keep) break;
    const { first, won, feedback, verdict } = yield* Effect.scoped(Effect.gen(function* () {
      const episode = yield* environment.open(task);
      const first = yield* episode.reset;
      const { won } = yield* episode.step(environment.format.action(failure.text));
      const verdict = yield* episode.verdict ?? Effect.succeed(null);
      return { first, won, verdict, feedback: yield* episode.feedback };
    }));
    if (won || (verdict !== null && verdict.outcome !== "wrong")) continue;
    usable++;
    const answer = verdict?.answer ?? failure.text;
    if (answers.has(answer)) continue;
    const attempt = yield* fitPrompt(failure.text, task, first, config);
    if (attempt === undefined) {
      tooLong++;
      continue;
    }
    answers.add(answer);
    rows.push({
      ...{ id: `${task.id}#${failure.index}`, task: task.id, index, replies: [failure.text], attempt },
      ...{ source: from ?? "", attempt_index: failure.index, samples, wins, feedback },
    });
  }
  return { rows, attempts: samples, failures: failures.length, usable, tooLong } satisfies Gathered;
});
