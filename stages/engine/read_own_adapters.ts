import { Effect } from "effect";
import type { FileError } from "../errors.ts";
import { readAdapters } from "./adapter_files.ts";
import type { LlamaConfig } from "./llama_config.ts";
import { localModel } from "./local_model.ts";
import { attemptFile } from "./read_safetensors.ts";
import type { Weights } from "./weights.ts";

/**
 * The adapters that belong to `model` itself, none if it is a whole model: those of
 * `config`, without reading the base that they adapt.
 */
export function readOwnAdapters(model: string, config: LlamaConfig): Effect.Effect<Weights, FileError> {
  return Effect.gen(function* () {
    const { path } = yield* attemptFile(model, () => localModel(model));
    const adapted = yield* Effect.promise(() =>
      Deno.stat(`${path}/adapter_config.json`).then(() => true, () => false)
    );
    return adapted ? yield* readAdapters(path, config) : new Map();
  });
}
