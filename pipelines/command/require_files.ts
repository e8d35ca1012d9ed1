import { Effect } from "effect";
import { readRows } from "../../envs/rows/read_rows.ts";
import type { Row } from "../../envs/rows/row.ts";
import { needsReference } from "../../stages/config/needs_reference.ts";
import type { RunConfig } from "../../stages/config/run_config.ts";
import { requireWeightFiles } from "../../stages/engine/read_llama_folder.ts";
import { ConfigError, FileError } from "../../stages/errors.ts";
import { loadChat } from "../../stages/policy/load_chat.ts";
import { readTokenizer } from "../../stages/policy/read_tokenizer.ts";
import { tokenizerDifference } from "../../stages/policy/tokenizer_difference.ts";
import { alfworldPath } from "../run/environment_of.ts";
import { dataFiles } from "../run/input_files.ts";
import { parseNegative } from "../negatives/check_negative.ts";
import type { RowPolicy } from "../pipeline.ts";
import { pipelines } from "../pipelines.ts";
import { modelFault, requireModel } from "./require_policy.ts";

type Fault = ConfigError["faults"][number];

/**
 * Fails with ConfigError, before anything is loaded or written, unless the files of
 * section `data` are there; `under` is where the configuration stands in a larger one.
 */
export function requireData(config: RunConfig, under = ""): Effect.Effect<void, ConfigError> {
  return Effect.suspend(() => {
    const faults = dataFaults(config).map(({ path, message }) => ({ path: `${under}${path}`, message }));
    return faults.length === 0 ? Effect.void : Effect.fail(new ConfigError({ source: "files", faults }));
  });
}

/**
 * Fails with ConfigError, before anything is loaded or written, unless every file that
 * training reads is there, the rows of `algorithm.offline` and `.reflective.file` are what
 * the algorithm takes, and a reference policy or a teacher is a model that is known, with
 * the trained policy's tokenizer.
 */
export function requireFiles(config: RunConfig): Effect.Effect<void, ConfigError> {
  return Effect.gen(function* () {
    const { algorithm: { name, offline, reflective, distillation }, policy, data } = config;
    const { offlineRow } = pipelines[name];
    const learner = offline === null || offlineRow === undefined ? undefined : yield* rowPolicy(config);
    const rows = [
      ["algorithm.offline", offline, learner && ((row: Row) => offlineRow?.(row, learner))],
      ["algorithm.reflective.file", reflective.file, parseNegative],
    ] as const;
    const faults = [...dataFaults(config)];
    for (const [path, file, parse] of rows) {
      if (file === null) continue;
      const found = unreadable(path, file);
      faults.push(...found);
      if (found.length === 0 && parse !== undefined) {
        faults.push(...yield* rowFaults(path, file, parse, data.bad_rows));
      }
    }
    if (policy.reference !== null && needsReference(config)) {
      faults.push(...yield* unlikeFaults("policy.reference", policy.reference, policy.path));
    }
    const { teacher } = distillation;
    if (teacher !== null) {
      faults.push(...yield* unlikeFaults("algorithm.distillation.teacher", teacher, policy.path));
    }
    if (faults.length > 0) return yield* Effect.fail(new ConfigError({ source: "files", faults }));
  });
}

/** What rows must fit of a policy whose weights are not read yet. */
function rowPolicy({ policy: { path, context } }: RunConfig): Effect.Effect<RowPolicy, ConfigError> {
  return Effect.gen(function* () {
    const { maxPositions } = yield* requireModel("policy.path", path);
    const chat = yield* loadChat(path).pipe(
      Effect.mapError(({ message }) =>
        new ConfigError({ source: "policy", faults: [{ path: "policy.path", message }] })
      ),
    );
    return { chat, contextLength: Math.min(maxPositions, context ?? Infinity) };
  });
}

/** What is wrong with the rows of a file, apart from what the environment says to them. */
function rowFaults(
  path: string,
  file: string,
  parse: (row: Row) => unknown,
  badRows: number,
): Effect.Effect<readonly Fault[]> {
  return Effect.promise(async () => {
    try {
      await readRows(file, parse, badRows);
      return [];
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      return [{ path, message: error.message }];
    }
  });
}

/** What is wrong with a frozen model beside the policy `own`: its family, its tokenizer, or that it is not whole. */
function unlikeFaults(path: string, model: string, own: string): Effect.Effect<readonly Fault[]> {
  return Effect.gen(function* () {
    const unlike = sameTokenizer(path, model, own);
    if (unlike.length > 0) return unlike;
    yield* requireModel(path, model);
    yield* requireWeightFiles(model).pipe(
      Effect.mapError(({ message }) => new ConfigError({ source: "policy", faults: [{ path, message }] })),
    );
    return [];
  }).pipe(Effect.catch(({ faults }) => Effect.succeed(faults)));
}

/** What of section `data` is not there. */
function dataFaults(config: RunConfig): readonly Fault[] {
  return [...dataFiles(config).flatMap(([path, file]) => unreadable(path, file)), ...alfworldFaults(config)];
}

/** ALFWorld's games are a folder or the zip file of a release. */
function alfworldFaults({ task, data }: RunConfig): readonly Fault[] {
  if (task.environment !== "household" || task.source !== "alfworld") return [];
  const path = "data.alfworld";
  const found = alfworldPath(data);
  if (found === null) {
    const message = "where are ALFWorld's games? Set it, or the environment variable ALFWORLD_DATA";
    return [{ path, message }];
  }
  try {
    Deno.statSync(found);
    return [];
  } catch (error) {
    return [{ path, message: `${found} cannot be read: ${(error as Error).message}` }];
  }
}

function unreadable(path: string, file: string): readonly Fault[] {
  try {
    const { isFile, isDirectory } = Deno.statSync(file);
    // A run that goes on reads it again, which a pipe does not allow.
    return isFile ? [] : [{ path, message: `${file} is ${isDirectory ? "a folder, not a" : "no"} file` }];
  } catch (error) {
    return [{ path, message: `${file} cannot be read: ${(error as Error).message}` }];
  }
}

/** What is wrong with `model`, given for key `path`, as one that scores the tokens of the policy `own`. */
export function sameTokenizer(path: string, model: string, own: string): readonly Fault[] {
  const message = modelFault(model);
  if (message !== undefined) return [{ path, message }];
  try {
    const [theirs, ours] = [model, own].map(readTokenizer);
    const difference = tokenizerDifference(theirs, ours);
    if (difference === undefined) return [];
    const message = `${model} has another tokenizer than policy.path ${own}: ${difference}`;
    return [{ path, message }];
  } catch (error) {
    return [{ path, message: (error as Error).message }];
  }
}
