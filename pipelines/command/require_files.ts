import { Effect } from "effect";
import { needsReference } from "../../stages/config/needs_reference.ts";
import type { RunConfig } from "../../stages/config/run_config.ts";
import { ConfigError } from "../../stages/errors.ts";
import { readTokenizer } from "../../stages/policy/read_tokenizer.ts";
import { tokenizerDifference } from "../../stages/policy/tokenizer_difference.ts";
import { modelFault } from "./require_policy.ts";

type Fault = ConfigError["faults"][number];

/** Fails with ConfigError, before anything is loaded or written, unless the files of section `data` are there. */
export function requireData({ data }: RunConfig): Effect.Effect<void, ConfigError> {
  return Effect.suspend(() => {
    const faults = (["train", "valid", "test"] as const).flatMap((split) => {
      const file = data[split];
      return file === null ? [] : unreadable(`data.${split}`, file);
    });
    return faults.length === 0 ? Effect.void : Effect.fail(new ConfigError({ source: "files", faults }));
  });
}

/**
 * Fails with ConfigError, before anything is loaded or written, unless every file that
 * training reads is there, and a reference policy or a teacher has the trained
 * policy's tokenizer.
 */
export function requireFiles(config: RunConfig): Effect.Effect<void, ConfigError> {
  return Effect.suspend(() => {
    const { data, algorithm, policy } = config;
    const named = [
      ["data.train", data.train],
      ["data.valid", data.valid],
      ["data.test", data.test],
      ["algorithm.offline", algorithm.offline],
      ["algorithm.reflective.file", algorithm.reflective.file],
    ] as const;
    const faults = named.flatMap(([path, file]) => file === null ? [] : unreadable(path, file));
    if (policy.reference !== null && needsReference(config)) {
      faults.push(...sameTokenizer("policy.reference", policy.reference, policy.path));
    }
    const { teacher } = algorithm.distillation;
    if (teacher !== null) {
      faults.push(...sameTokenizer("algorithm.distillation.teacher", teacher, policy.path));
    }
    return faults.length === 0 ? Effect.void : Effect.fail(new ConfigError({ source: "files", faults }));
  });
}

function unreadable(path: string, file: string): readonly Fault[] {
  try {
    Deno.statSync(file);
    return [];
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
