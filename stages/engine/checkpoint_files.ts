import { Effect } from "effect";
import { FileError } from "../errors.ts";
import { readAdapterConfig, readAdapters, writeAdapters } from "./adapter_files.ts";
import type { AdamWState } from "./adamw_state.ts";
import { encodeSafetensors } from "./encode_safetensors.ts";
import { formatLlamaConfig } from "./format_llama_config.ts";
import type { LlamaConfig } from "./llama_config.ts";
import { readLlamaFolder } from "./read_llama_folder.ts";
import { readSafetensors } from "./read_safetensors.ts";
import type { Tensor, Weights } from "./weights.ts";
import { writeFileAtomic } from "./write_file_atomic.ts";

/** What an engine keeps between runs. */
export interface CheckpointState {
  readonly config: LlamaConfig;
  /** All parameters, those that adapters freeze included. */
  readonly weights: Weights;
  /** Those that are trained. */
  readonly trained: Weights;
  readonly optimizer: AdamWState;
  /** The `config.json` that the model came with; its fields are kept. */
  readonly source?: Readonly<Record<string, unknown>>;
  /** The folder of the parameters that adapters freeze. */
  readonly base?: string;
}

/**
 * Writes `config.json`, `optimizer.safetensors` (moments as `exp_avg.<name>` and
 * `exp_avg_sq.<name>`, the step in the metadata) and the weights: as
 * `model.safetensors`, or adapters alone in the layout of PEFT.
 */
export function saveCheckpointFiles(
  folder: string,
  { config, weights, trained, optimizer, source, base = "" }: CheckpointState,
): Effect.Effect<void, FileError> {
  // What is saved is what there is when the effect runs, not when it is made.
  return Effect.suspend(() => {
    const moments = new Map<string, Tensor>();
    for (const [name, t] of optimizer.expAvg) moments.set(`exp_avg.${name}`, t);
    for (const [name, t] of optimizer.expAvgSq) moments.set(`exp_avg_sq.${name}`, t);
    const metadata = { format: "pt", step: String(optimizer.step) };
    const text = new TextEncoder().encode(formatLlamaConfig(config, source));
    return Effect.all([
      writeFileAtomic(`${folder}/config.json`, [text]),
      writeFileAtomic(`${folder}/optimizer.safetensors`, encodeSafetensors(moments, metadata)),
      config.lora === undefined
        ? writeFileAtomic(`${folder}/model.safetensors`, encodeSafetensors(weights))
        : writeAdapters(folder, config.lora, base, trained),
    ], { discard: true });
  });
}

/**
 * Reads what {@link saveCheckpointFiles} wrote into `state`, in place, or any
 * Hugging Face folder of the same architecture; without `optimizer.safetensors`
 * the optimiser starts anew. Nothing is changed if a file is at fault. Of a state
 * with adapters only these are read.
 */
export function loadCheckpointFiles(folder: string, state: CheckpointState): Effect.Effect<void, FileError> {
  return Effect.gen(function* () {
    const weights = state.config.lora === undefined
      ? yield* readWhole(folder, state.config)
      : yield* readAdaptersOf(folder, state.config);
    const moments = yield* readMoments(`${folder}/optimizer.safetensors`, state.trained);
    copyInto(weights, state.trained);
    const { optimizer } = state;
    optimizer.reset();
    if (moments === undefined) return;
    copyInto(moments.expAvg, optimizer.expAvg);
    copyInto(moments.expAvgSq, optimizer.expAvgSq);
    optimizer.step = moments.step;
  });
}

function readWhole(folder: string, config: LlamaConfig): Effect.Effect<Weights, FileError> {
  return Effect.gen(function* () {
    const model = yield* readLlamaFolder(folder);
    yield* requireSame(`${folder}/config.json`, model.config, config);
    return model.weights;
  });
}

function readAdaptersOf(folder: string, config: LlamaConfig): Effect.Effect<Weights, FileError> {
  return Effect.gen(function* () {
    const { lora: { rank, alpha } } = yield* readAdapterConfig(folder);
    // Their names and shapes tell the target modules.
    yield* requireSame(`${folder}/adapter_config.json`, { ...config.lora!, rank, alpha }, config.lora!);
    return yield* readAdapters(folder, config);
  });
}

/** Fails with the first field of `wanted` that `found` has another value of. */
function requireSame<T extends object>(path: string, found: T, wanted: T): Effect.Effect<void, FileError> {
  for (const [field, value] of Object.entries(wanted)) {
    const other = found[field as keyof T];
    if (JSON.stringify(other) === JSON.stringify(value)) continue;
    const [there, here] = [other, value].map((v) => typeof v === "object" ? JSON.stringify(v) : v);
    return Effect.fail(
      new FileError({ path, reason: `${field} is ${there}, the engine's model has ${here}` }),
    );
  }
  return Effect.void;
}

interface Moments {
  readonly expAvg: Weights;
  readonly expAvgSq: Weights;
  readonly step: number;
}

function readMoments(path: string, weights: Weights): Effect.Effect<Moments | undefined, FileError> {
  return Effect.gen(function* () {
    const present = yield* Effect.promise(() => Deno.stat(path).then(() => true, () => false));
    if (!present) return undefined;
    const { tensors, metadata } = yield* readSafetensors(path);
    const step = Number(metadata.step ?? NaN);
    if (!Number.isSafeInteger(step) || step < 0) {
      const reason = `metadata step is ${JSON.stringify(metadata.step)}, expected a count`;
      return yield* Effect.fail(new FileError({ path, reason }));
    }
    const moments = { expAvg: new Map<string, Tensor>(), expAvgSq: new Map<string, Tensor>(), step };
    for (const [name, { shape }] of weights) {
      for (
        const [prefix, target] of [["exp_avg", moments.expAvg], ["exp_avg_sq", moments.expAvgSq]] as const
      ) {
        const tensor = tensors.get(`${prefix}.${name}`);
        if (tensor === undefined || tensor.shape.join() !== shape.join()) {
          const found = tensor === undefined ? "is missing" : `has shape [${tensor.shape}]`;
          const reason = `${prefix}.${name} ${found}, expected shape [${shape}]`;
          return yield* Effect.fail(new FileError({ path, reason }));
        }
        target.set(name, tensor);
      }
    }
    return moments;
  });
}

function copyInto(from: Weights, to: Weights): void {
  for (const [name, { data }] of to) data.set(from.get(name)!.data);
}
