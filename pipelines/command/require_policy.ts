import { Effect } from "effect";
import type { RunConfig } from "../../stages/config/run_config.ts";
import { adaptConfig } from "../../stages/engine/add_lora.ts";
import { isGgufPath } from "../../stages/engine/gguf/read_gguf_header.ts";
import { localModel } from "../../stages/engine/local_model.ts";
import type { LlamaConfig } from "../../stages/engine/llama_config.ts";
import { readLlamaConfig, requireWeightFiles } from "../../stages/engine/read_llama_folder.ts";
import { listCheckpoints } from "../run_folder/list_checkpoints.ts";
import { ConfigError, type FileError } from "../../stages/errors.ts";
import { loadChat } from "../../stages/policy/load_chat.ts";

/**
 * Fails with ConfigError unless `path`, given for `key`, is a model folder, adapters, a
 * GGUF file or a name of the Hub that is in the local cache, of a family that is known,
 * before weights are loaded or anything is written.
 */
export function requireModel(key: string, path: string): Effect.Effect<LlamaConfig, ConfigError> {
  return Effect.gen(function* () {
    const message = modelFault(path);
    if (message !== undefined) return yield* faultOf(key, message);
    return yield* readLlamaConfig(path).pipe(Effect.mapError(({ message }) => faultOf(key, message)));
  });
}

/** The same for a model that is to be trained: `policy.lora` fits it. */
export function requireAdaptable(
  { policy: { path: own, lora } }: RunConfig,
  key = "policy.path",
  path = own,
): Effect.Effect<void, ConfigError> {
  return Effect.gen(function* () {
    const model = yield* requireModel(key, path);
    if (lora.rank === 0) return;
    yield* Effect.try({
      try: () => adaptConfig(model, { ...lora, targetModules: lora.target_modules }),
      catch: (error) => faultOf("policy.lora", `${path}: ${(error as Error).message}`),
    });
  });
}

/** The same for a model that is to write: its tokenizer and chat template are read, its weights are looked for. */
export function requirePolicy(
  config: RunConfig,
  key = "policy.path",
  path = config.policy.path,
): Effect.Effect<void, ConfigError> {
  return Effect.gen(function* () {
    yield* requireAdaptable(config, key, path);
    const asFault = Effect.mapError(({ message }: FileError) => faultOf(key, message));
    yield* loadChat(path).pipe(asFault);
    yield* requireWeightFiles(path).pipe(asFault);
  });
}

const faultOf = (path: string, message: string) =>
  new ConfigError({ source: "policy", faults: [{ path, message }] });

/** What is wrong with `model` as a model to be read, if its files tell at once. */
export function modelFault(model: string): string | undefined {
  try {
    const { path, name } = localModel(model);
    const fromHub = path === name
      ? ""
      : `; its download is not whole, get it with: hf download ${name.replace("@", " --revision ")}`;
    if (isGgufPath(path)) return isFile(path) ? undefined : `${path} cannot be read`;
    if (isFile(`${path}/config.json`) || isFile(`${path}/adapter_config.json`)) return undefined;
    const [newest] = listCheckpoints(`${path}/checkpoints`);
    return newest === undefined
      ? `no model folder: ${path}/config.json cannot be read${fromHub}`
      : `${path} is a run folder; name a checkpoint of it, such as ${path}/checkpoints/step_${newest}`;
  } catch (error) {
    return (error as FileError).message;
  }
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}
