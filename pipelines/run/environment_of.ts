import type { Layer } from "effect";
import type { Environment } from "../../envs/env.ts";
import { environments } from "../../envs/registry.ts";
import type { RunConfig } from "../../stages/config/run_config.ts";
import type { FileError } from "../../stages/errors.ts";

/** The environment that `task` describes. */
export function environmentOf(
  { rollout, task, data, remote }: RunConfig,
): Layer.Layer<Environment, FileError> {
  return environments[task.environment]({
    level: task.level,
    maxTurns: task.max_turns,
    kinds: task.kinds,
    timeoutMs: rollout.env_timeout_s * 1000,
    files: { train: data.train, valid: data.valid, test: data.test },
    badRows: data.bad_rows,
    mathAnswer: data.math_answer,
    callFormat: data.call_format,
    shop: data.shop,
    household: {
      source: task.source,
      prompt: task.prompt,
      alfworld: alfworldPath(data),
    },
    scienceworld: data.scienceworld,
    remote,
  });
}

/** Where ALFWorld's games are, if that is told. */
export function alfworldPath({ alfworld }: Pick<RunConfig["data"], "alfworld">): string | null {
  return alfworld ?? environmentVariable("ALFWORLD_DATA");
}

/** Null if it is not set, or this process may not know. */
function environmentVariable(name: string): string | null {
  try {
    return Deno.env.get(name) ?? null;
  } catch {
    return null;
  }
}
