import { Effect } from "effect";
import { readRows } from "../../envs/rows/read_rows.ts";
import { needsReference } from "../../stages/config/needs_reference.ts";
import type { RunConfig } from "../../stages/config/run_config.ts";
import { ConfigError, FileError } from "../../stages/errors.ts";
import { readTokenizer } from "../../stages/policy/read_tokenizer.ts";
import { tokenizerDifference } from "../../stages/policy/tokenizer_difference.ts";
import { pipelines } from "../pipelines.ts";
import { modelFault } from "./require_policy.ts";

type Fault = ConfigError["faults"][number];

/**
 * Fails with ConfigError, before anything is loaded or written, unless the files of
 * section `data` are there; `under` is where the configuration stands in a larger one.
 */
export function requireData(config: RunConfig, under = ""): Effect.Effect<void, ConfigError> {
  return Effect.suspend(() => {
    const faults = dataFiles(config).flatMap(([path, file]) => unreadable(`${under}${path}`, file));
    return faults.length === 0 ? Effect.void : Effect.fail(new ConfigError({ source: "files", faults }));
  });
}

/**
 * Fails with ConfigError, before anything is loaded or written, unless every file that
 * training reads is there, the rows of `algorithm.offline` are the algorithm's, and a
 * reference policy or a teacher has the trained policy's tokenizer.
 */
export function requireFiles(config: RunConfig): Effect.Effect<void, ConfigError> {
  return Effect.gen(function* () {
    const { algorithm, policy } = config;
    const named = [
      ...dataFiles(config),
      ["algorithm.offline", algorithm.offline],
      ["algorithm.reflective.file", algorithm.reflective.file],
    ] as const;
    const faults = named.flatMap(([path, file]) => file === null ? [] : unreadable(path, file));
    if (faults.length === 0) faults.push(...yield* offlineFaults(config));
    if (policy.reference !== null && needsReference(config)) {
      faults.push(...sameTokenizer("policy.reference", policy.reference, policy.path));
    }
    const { teacher } = algorithm.distillation;
    if (teacher !== null) {
      faults.push(...sameTokenizer("algorithm.distillation.teacher", teacher, policy.path));
    }
    if (faults.length > 0) return yield* Effect.fail(new ConfigError({ source: "files", faults }));
  });
}

/** What is wrong with the rows of `algorithm.offline`, apart from their length in tokens. */
function offlineFaults({ algorithm: { name, offline }, data }: RunConfig): Effect.Effect<readonly Fault[]> {
  const parse = pipelines[name].offlineRow;
  if (offline === null || parse === undefined) return Effect.succeed([]);
  return Effect.promise(async () => {
    try {
      await readRows(offline, parse, data.bad_rows);
      return [];
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      return [{ path: "algorithm.offline", message: error.message }];
    }
  });
}

/** Key and file of what section `data` reads. */
function dataFiles(
  { data: { train, valid, test, shop } }: RunConfig,
): readonly (readonly [string, string])[] {
  const named = Object.entries({ train, valid, test, ...inShop(shop) });
  return named.flatMap(([key, file]) => file === null ? [] : [[`data.${key}`, file] as const]);
}

function inShop({ products, attributes, instructions, nouns }: RunConfig["data"]["shop"]) {
  return {
    "shop.products": products,
    "shop.attributes": attributes,
    "shop.instructions": instructions,
    "shop.nouns": nouns,
  };
}

function unreadable(path: string, file: string): readonly Fault[] {
  try {
    return Deno.statSync(file).isDirectory ? [{ path, message: `${file} is a folder, not a file` }] : [];
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
