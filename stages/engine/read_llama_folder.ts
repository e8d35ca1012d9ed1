import { Effect } from "effect";
import { FileError } from "../errors.ts";
import { decodeSafetensors, type Safetensors } from "./decode_safetensors.ts";
import type { LlamaConfig } from "./llama_config.ts";
import { llamaParameterShapes } from "./llama_parameter_shapes.ts";
import { parseLlamaConfig } from "./parse_llama_config.ts";
import type { Tensor } from "./weights.ts";

/** A model as a Hugging Face folder states it. */
export interface LlamaModel {
  readonly config: LlamaConfig;
  /** Exactly the names and shapes of {@link llamaParameterShapes}, in its order. */
  readonly weights: Map<string, Tensor>;
}

/**
 * Reads `config.json` and `model.safetensors` of a Hugging Face folder. Fails
 * with a FileError that names file and field: a missing or torn file, a foreign
 * architecture, a tensor that is missing, unknown or of another shape.
 */
export function readLlamaFolder(folder: string): Effect.Effect<LlamaModel, FileError> {
  return Effect.gen(function* () {
    const config = yield* readConfig(`${folder}/config.json`);
    const path = `${folder}/model.safetensors`;
    const { tensors } = yield* readSafetensors(path);
    const weights = yield* attempt(path, () => matchShapes(tensors, config, path));
    return { config, weights };
  });
}

/** Reads a safetensors file whole. */
export function readSafetensors(path: string): Effect.Effect<Safetensors, FileError> {
  return Effect.flatMap(
    readBytes(path),
    (bytes) => attempt(path, () => decodeSafetensors(bytes, path)),
  );
}

function readConfig(path: string): Effect.Effect<LlamaConfig, FileError> {
  return Effect.flatMap(
    readBytes(path),
    (bytes) => attempt(path, () => parseLlamaConfig(JSON.parse(new TextDecoder().decode(bytes)), path)),
  );
}

function readBytes(path: string): Effect.Effect<Uint8Array, FileError> {
  return Effect.tryPromise({
    try: () => Deno.readFile(path),
    catch: (cause) =>
      new FileError({
        path,
        reason: cause instanceof Deno.errors.NotFound
          ? "is missing"
          : `cannot read: ${(cause as Error).message}`,
      }),
  });
}

function attempt<A>(path: string, read: () => A): Effect.Effect<A, FileError> {
  return Effect.try({
    try: read,
    catch: (cause) =>
      cause instanceof FileError ? cause : new FileError({ path, reason: (cause as Error).message }),
  });
}

function matchShapes(
  tensors: ReadonlyMap<string, Tensor>,
  config: LlamaConfig,
  path: string,
): Map<string, Tensor> {
  const shapes = llamaParameterShapes(config);
  const weights = new Map<string, Tensor>();
  for (const [name, shape] of shapes) {
    const tensor = tensors.get(name);
    if (tensor === undefined) throw new FileError({ path, reason: `${name} is missing` });
    if (tensor.shape.join() !== shape.join()) {
      throw new FileError({
        path,
        reason: `${name} has shape [${tensor.shape}], config.json says [${shape}]`,
      });
    }
    weights.set(name, tensor);
  }
  for (const name of tensors.keys()) {
    if (!shapes.has(name) && !isRedundant(name, config)) {
      throw new FileError({ path, reason: `${name} is no parameter of this architecture` });
    }
  }
  return weights;
}

/** Tensors that some exporters write although they follow from others. */
function isRedundant(name: string, config: LlamaConfig): boolean {
  return name.endsWith("rotary_emb.inv_freq") || (config.tied && name === "lm_head.weight");
}
