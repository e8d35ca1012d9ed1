import { stringify } from "@std/yaml";
import { Effect, type Scope } from "effect";
import type { RunConfig } from "../../stages/config/run_config.ts";
import { ConfigError, type FileError } from "../../stages/errors.ts";
import type { Chat } from "../../stages/policy/chat.ts";
import type { Sampled, Stitched } from "../../stages/record.ts";
import { evalMetric } from "./eval_metric.ts";
import { appendLine } from "../run_folder/append_line.ts";
import { attemptRecord } from "../run_folder/attempt_record.ts";
import { lockFolder } from "../run_folder/lock_folder.ts";
import { tryFile } from "../run_folder/try_file.ts";
import { writeAtomic } from "../run_folder/write_atomic.ts";
import type { EvalReport } from "./eval_report.ts";
import { playedGroup } from "./played_group.ts";

/** Where an evaluation leaves what it found; a folder that `deno task report` reads. */
export interface EvalFolder {
  /** Appends attempts to attempts.jsonl; `label` says what they are of. */
  readonly record: (
    label: string,
    groups: readonly (Sampled | Stitched)[],
    chat: Pick<Chat, "token" | "decode">,
  ) => Effect.Effect<void, FileError>;
  /** Writes results.json and metrics.jsonl (step 0 = before or the only policy, step 1 = after). */
  readonly finish: (report: EvalReport) => Effect.Effect<void, FileError>;
}

const nowhere: EvalFolder = { record: () => Effect.void, finish: () => Effect.void };

/**
 * Opens `eval.out_dir`, emptied of an earlier evaluation; without one nothing is
 * written. A folder with a training run in it is a ConfigError, one into which another
 * process evaluates a FileError; it is held until the scope closes.
 */
export function openEvalFolder(
  config: RunConfig,
): Effect.Effect<EvalFolder, ConfigError | FileError, Scope.Scope> {
  const path = config.eval.out_dir;
  if (path === null) return Effect.succeed(nowhere);
  const attemptsPath = `${path}/attempts.jsonl`;
  const owned = ["results.json", "attempts.jsonl", "metrics.jsonl"];
  return Effect.gen(function* () {
    yield* tryFile(path, () => Deno.mkdirSync(path, { recursive: true }));
    yield* lockFolder(path);
    // Listed under the lock: whoever had it may have written meanwhile.
    const names = yield* tryFile(path, () => [...Deno.readDirSync(path)].map(({ name }) => name));
    const isRun = names.includes("checkpoints") ||
      (names.includes("metrics.jsonl") && !names.includes("evaluation.yaml"));
    if (isRun) {
      const message = `a training run is in ${path}; name another folder`;
      return yield* new ConfigError({ source: "eval", faults: [{ path: "eval.out_dir", message }] });
    }
    yield* tryFile(path, () => {
      writeAtomic(`${path}/evaluation.yaml`, stringify(config.eval));
      writeAtomic(`${path}/config.yaml`, stringify(config));
      names.filter((name) => owned.includes(name)).forEach((name) => Deno.removeSync(`${path}/${name}`));
    });
    return {
      record: (label, groups, chat) =>
        tryFile(attemptsPath, () => {
          for (const group of groups) {
            const { step, task, ...rest } = attemptRecord(group.cursor, playedGroup(group), chat);
            appendLine(attemptsPath, {
              step,
              task: { id: task.id, kind: `${label}: ${task.kind}` },
              ...rest,
            });
          }
        }),
      finish: (report) =>
        tryFile(path, () => {
          metricsOf(report).forEach((line) => appendLine(`${path}/metrics.jsonl`, line));
          writeAtomic(`${path}/results.json`, JSON.stringify(report, null, 2) + "\n");
        }),
    };
  });
}

/** One line a policy, for the report's numbers before and after. */
function metricsOf({ policies, benchmarks }: EvalReport): readonly Record<string, number>[] {
  return policies.map(({ name }, step) => ({
    step,
    ...Object.fromEntries(
      benchmarks.flatMap((benchmark) =>
        benchmark.results.filter(({ policy }) => policy === name).flatMap(({ success }) =>
          success.map((s) => [evalMetric(benchmark.name, "success", s.temperature, s.attempts), s.success])
        )
      ),
    ),
  }));
}
