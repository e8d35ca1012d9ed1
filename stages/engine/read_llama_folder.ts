import { Effect } from "effect";
import { FileError } from "../errors.ts";
import { readAdapterConfig, readAdapters } from "./adapter_files.ts";
import { addLora } from "./add_lora.ts";
import type { LlamaConfig } from "./llama_config.ts";
import { ggufConfig } from "./gguf/gguf_config.ts";
import { ggufStorage } from "./gguf/gguf_storage.ts";
import { isGgufPath, readGgufHeader } from "./gguf/read_gguf_header.ts";
import { localBase } from "./local_base.ts";
import { localModel } from "./local_model.ts";
import { llamaParameterShapes } from "./llama_parameter_shapes.ts";
import { parseLlamaConfig } from "./parse_llama_config.ts";
import {
  attemptFile,
  exists,
  modelFiles,
  parseJson,
  readBytes,
  readModelTensors,
} from "./read_safetensors.ts";
import type { StoredTensor } from "./weights.ts";
import type { StoredType } from "./stored_type.ts";

/** A model as a Hugging Face folder, or a GGUF file, states it. */
export interface LlamaModel {
  readonly config: LlamaConfig;
  /** Exactly the names and shapes of {@link llamaParameterShapes}, in its order. */
  readonly weights: Map<string, StoredTensor>;
  /** The whole of `config.json`, to be written back with the model. */
  readonly source: Readonly<Record<string, unknown>>;
  /** The folder, file or name on the Hub of the parameters that adapters freeze. */
  readonly base?: string;
}

/**
 * Reads `config.json` and the weights of a Hugging Face folder: `model.safetensors`,
 * the files that `model.safetensors.index.json` lists, or `model.gguf`. A path that
 * ends with `.gguf` is a file that is a model by itself. A name of the Hub is looked
 * for in the local cache ({@link localModel}). A folder of adapters
 * (`adapter_config.json`, as PEFT writes it) is read together with the model that its
 * `base_model_name_or_path` names. Fails with a FileError that names file and
 * field: a missing or torn file, a foreign architecture, a tensor that is missing,
 * unknown or of another shape.
 *
 * @param wanted Form in which the matrices are held, those of adapters excepted; `int8`
 * becomes `uint8` for a GGUF file whose blocks have minima.
 */
export function readLlamaFolder(
  model: string,
  wanted: StoredType = "float32",
): Effect.Effect<LlamaModel, FileError> {
  return Effect.gen(function* () {
    const { path: folder, name } = yield* findModel(model);
    if (yield* exists(`${folder}/adapter_config.json`)) return yield* readAdaptedFolder(folder, wanted);
    const { config, source } = yield* readConfig(folder);
    const { path, tensors, storage } = yield* readModelTensors(folder, config, wanted);
    const weights = yield* attemptFile(path, () => matchShapes(tensors, config, path));
    const held = storage === "float32" ? config : { ...config, storage };
    return { config: held, weights, source, base: name };
  });
}

/** The architecture alone, with adapters where the model has some: what {@link readLlamaFolder} reads without weights. */
export function readLlamaConfig(
  model: string,
  wanted: StoredType = "float32",
): Effect.Effect<LlamaConfig, FileError> {
  return Effect.gen(function* () {
    const { path: folder } = yield* findModel(model);
    if (!(yield* exists(`${folder}/adapter_config.json`))) return yield* readHeldConfig(folder, wanted);
    const { lora, base } = yield* readAdapterConfig(folder);
    const { path } = yield* findBase(folder, base);
    const held = yield* readHeldConfig(path, wanted).pipe(
      Effect.mapError(({ message }) =>
        new FileError({
          path: `${folder}/adapter_config.json`,
          reason: `base_model_name_or_path is ${JSON.stringify(base)}: ${message}`,
        })
      ),
    );
    return { ...held, lora };
  });
}

/** Fails with a FileError unless the files that hold the model's weights, and its base's, are there. */
export function requireWeightFiles(model: string): Effect.Effect<void, FileError> {
  return Effect.gen(function* () {
    const { path: folder } = yield* findModel(model);
    const files: string[] = [];
    if (yield* exists(`${folder}/adapter_config.json`)) {
      const { base } = yield* readAdapterConfig(folder);
      const { path } = yield* findBase(folder, base);
      files.push(`${folder}/adapter_model.safetensors`, ...yield* modelFiles(path));
    } else files.push(...yield* modelFiles(folder));
    for (const path of files) {
      if (!(yield* exists(path))) return yield* Effect.fail(new FileError({ path, reason: "is missing" }));
    }
  });
}

function readAdaptedFolder(folder: string, storage: StoredType): Effect.Effect<LlamaModel, FileError> {
  return Effect.gen(function* () {
    const { lora, base } = yield* readAdapterConfig(folder);
    const { path } = yield* findBase(folder, base);
    const file = isGgufPath(path) ? path : `${path}/config.json`;
    if (!(yield* exists(file)) || (yield* exists(`${path}/adapter_config.json`))) {
      const reason = `base_model_name_or_path is ${JSON.stringify(base)}, expected a model folder or file`;
      return yield* Effect.fail(new FileError({ path: `${folder}/adapter_config.json`, reason }));
    }
    const model = yield* readLlamaFolder(base, storage);
    const adapted = yield* attemptFile(`${folder}/adapter_config.json`, () => addLora(model, lora));
    const adapters = yield* readAdapters(folder, adapted.config);
    return { ...adapted, weights: new Map([...model.weights, ...adapters]) };
  });
}

/** The architecture in `folder`, with the form in which its matrices are held. */
function readHeldConfig(folder: string, wanted: StoredType): Effect.Effect<LlamaConfig, FileError> {
  return Effect.gen(function* () {
    const { config } = yield* readConfig(folder);
    if (wanted === "float32") return config;
    const gguf = isGgufPath(folder) ? folder : `${folder}/model.gguf`;
    if (!(yield* exists(gguf))) return { ...config, storage: wanted };
    return { ...config, storage: ggufStorage(yield* readGgufHeader(gguf), wanted) };
  });
}

function findModel(name: string) {
  return attemptFile(name, () => localModel(name));
}

function findBase(folder: string, base: string) {
  return attemptFile(folder, () => localBase(folder, base));
}

function readConfig(folder: string): Effect.Effect<Pick<LlamaModel, "config" | "source">, FileError> {
  if (isGgufPath(folder)) {
    return Effect.flatMap(readGgufHeader(folder), (header) =>
      attemptFile(folder, () => {
        const source = ggufConfig(header, folder);
        return { config: parseLlamaConfig(source, folder), source };
      }));
  }
  const path = `${folder}/config.json`;
  return Effect.flatMap(readBytes(path), (bytes) =>
    attemptFile(path, () => {
      const source = parseJson(bytes);
      return { config: parseLlamaConfig(source, path), source };
    }));
}

function matchShapes(
  tensors: ReadonlyMap<string, StoredTensor>,
  config: LlamaConfig,
  path: string,
): Map<string, StoredTensor> {
  const shapes = llamaParameterShapes(config);
  const weights = new Map<string, StoredTensor>();
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
