import { Effect } from "effect";
import { FileError } from "../errors.ts";
import { decodeGguf } from "./gguf/decode_gguf.ts";
import { decodeGgufHeader } from "./gguf/decode_gguf_header.ts";
import { ggufStorage } from "./gguf/gguf_storage.ts";
import { type ByteSource, decodeSafetensors, type Safetensors } from "./decode_safetensors.ts";
import { ggufWeights } from "./gguf/gguf_weights.ts";
import { isGgufPath } from "./gguf/read_gguf_header.ts";
import type { LlamaConfig } from "./llama_config.ts";
import { type StoredType, storeTensor } from "./stored_type.ts";
import type { StoredTensor, Tensor } from "./weights.ts";

/** Reads a safetensors file. */
export function readSafetensors(path: string): Effect.Effect<Safetensors, FileError> {
  return readTensors(path, (_, tensor) => tensor);
}

/** Reads a safetensors file tensor by tensor; `keep` makes of each what is held of it. */
function readTensors<T>(
  path: string,
  keep: (name: string, tensor: Tensor) => T,
): Effect.Effect<Safetensors<T>, FileError> {
  return Effect.tryPromise({
    try: async () => {
      using file = await Deno.open(path);
      return decodeSafetensors(fileSource(file, path), path, keep);
    },
    catch: (cause) => cause instanceof FileError ? cause : readError(path, cause as Error),
  });
}

function fileSource(file: Deno.FsFile, path: string): ByteSource {
  const read = (begin: number, end: number) => {
    const bytes = new Uint8Array(end - begin);
    file.seekSync(begin, Deno.SeekMode.Start);
    for (let done = 0; done < bytes.length;) {
      const count = file.readSync(bytes.subarray(done));
      if (count === null) throw new FileError({ path, reason: "became shorter while it was read" });
      done += count;
    }
    return bytes;
  };
  return { size: file.statSync().size, read };
}

/** A model's tensors and the file that answers for them. */
export interface ModelTensors {
  readonly path: string;
  readonly tensors: ReadonlyMap<string, StoredTensor>;
  /** Form in which the matrices are held. */
  readonly storage: StoredType;
}

/** The files that {@link readModelTensors} reads; they need not be there. */
export function modelFiles(folder: string): Effect.Effect<readonly string[], FileError> {
  return Effect.gen(function* () {
    const [whole, index] = [`${folder}/model.safetensors`, `${folder}/model.safetensors.index.json`];
    if (isGgufPath(folder)) return [folder];
    if (yield* exists(whole)) return [whole];
    if (yield* exists(index)) {
      const bytes = yield* readBytes(index);
      const places = yield* attemptFile(index, () => readWeightMap(bytes, index));
      return [...new Set(places.values())].map((file) => `${folder}/${file}`);
    }
    const gguf = `${folder}/model.gguf`;
    return [(yield* exists(gguf)) ? gguf : whole];
  });
}

/**
 * Reads `model.safetensors` of a folder or, without it, the shards that
 * `model.safetensors.index.json` lists (each tensor must be in its shard), or
 * `model.gguf`; or `folder` itself, if it is a GGUF file. Each tensor is brought into
 * the form in which it is held before the next one is read; in 8 bits, those of a GGUF
 * file keep the numbers of their blocks, all as `uint8` if some have minima.
 */
export function readModelTensors(
  folder: string,
  config: LlamaConfig,
  storage: StoredType,
): Effect.Effect<ModelTensors, FileError> {
  return Effect.gen(function* () {
    const keepIn = (path: string, type = storage) => (name: string, tensor: StoredTensor) => {
      try {
        return storeTensor(tensor, type);
      } catch (cause) {
        throw new FileError({ path, reason: `${name} ${(cause as Error).message}` });
      }
    };
    const whole = `${folder}/model.safetensors`;
    const path = `${folder}/model.safetensors.index.json`;
    const gguf = isGgufPath(folder) ? folder : `${folder}/model.gguf`;
    const [hasWhole, hasIndex] = [yield* exists(whole), yield* exists(path)];
    if (!hasWhole && !hasIndex && (yield* exists(gguf))) {
      const bytes = yield* readBytes(gguf);
      return yield* attemptFile(gguf, () => {
        const type = ggufStorage(decodeGgufHeader(bytes, gguf), storage);
        const tensors = ggufWeights(decodeGguf(bytes, gguf, keepIn(gguf, type)), config);
        return { path: gguf, tensors, storage: type };
      });
    }
    if (hasWhole || !hasIndex) {
      return { path: whole, tensors: (yield* readTensors(whole, keepIn(whole))).tensors, storage };
    }
    const bytes = yield* readBytes(path);
    const places = yield* attemptFile(path, () => readWeightMap(bytes, path));
    const tensors = new Map<string, StoredTensor>();
    for (const file of new Set(places.values())) {
      const shard = yield* readTensors(`${folder}/${file}`, keepIn(`${folder}/${file}`));
      for (const [name, place] of places) {
        if (place !== file) continue;
        const tensor = shard.tensors.get(name);
        if (tensor === undefined) {
          const reason = `${name} is missing, though ${path} places it here`;
          return yield* Effect.fail(new FileError({ path: `${folder}/${file}`, reason }));
        }
        tensors.set(name, tensor);
      }
    }
    return { path, tensors, storage };
  });
}

/** Tensor name → file name. Files lie beside the index. */
function readWeightMap(bytes: Uint8Array, path: string): Map<string, string> {
  const map: unknown = parseJson(bytes)?.weight_map;
  if (typeof map !== "object" || map === null || Array.isArray(map)) {
    throw new FileError({ path, reason: "weight_map is no map of tensor names to files" });
  }
  const places = new Map<string, string>();
  for (const [name, file] of Object.entries(map)) {
    if (typeof file !== "string" || !/^[\w-][\w.-]*\.safetensors$/.test(file)) {
      const reason = `weight_map: ${name} is in ${JSON.stringify(file)}, which names no file of this folder`;
      throw new FileError({ path, reason });
    }
    places.set(name, file);
  }
  return places;
}

/** Reads a file; one that is missing or cannot be read is a FileError. */
export function readBytes(path: string): Effect.Effect<Uint8Array, FileError> {
  return Effect.tryPromise({
    try: () => Deno.readFile(path),
    catch: (cause) => readError(path, cause as Error),
  });
}

function readError(path: string, cause: Error): FileError {
  const reason = cause instanceof Deno.errors.NotFound ? "is missing" : `cannot read: ${cause.message}`;
  return new FileError({ path, reason });
}

/** A file's bytes as JSON. Throws SyntaxError. */
export function parseJson(bytes: Uint8Array): any {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (cause) {
    throw new SyntaxError(`is no JSON: ${(cause as Error).message}`);
  }
}

/** What `read` returns; what it throws as a FileError about `path`. */
export function attemptFile<A>(path: string, read: () => A): Effect.Effect<A, FileError> {
  return Effect.try({
    try: read,
    catch: (cause) =>
      cause instanceof FileError ? cause : new FileError({ path, reason: (cause as Error).message }),
  });
}

/** Whether a file or folder is there. */
export function exists(path: string): Effect.Effect<boolean> {
  return Effect.promise(() => Deno.stat(path).then(() => true, () => false));
}
