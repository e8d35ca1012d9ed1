import { Rng } from "../seed.ts";
import type { LlamaConfig } from "./llama_config.ts";
import { isAdapted, isAdapterName, type Lora, LORA_A } from "./lora.ts";
import { llamaParameterShapes } from "./llama_parameter_shapes.ts";
import type { LlamaModel } from "./read_llama_folder.ts";
import type { Tensor } from "./weights.ts";

/**
 * The architecture with adapters; one that has some already is returned as it is.
 * Throws RangeError if its adapters differ from `lora`, or if a target is no linear
 * layer of the model.
 */
export function adaptConfig(model: LlamaConfig, lora: Lora): LlamaConfig {
  const { rank, alpha, targetModules } = lora;
  const given = model.lora;
  if (given !== undefined) {
    const alike = targetModules.length === 0 ||
      [...targetModules].sort().join() === given.targetModules.join();
    if (given.rank === rank && given.alpha === alpha && alike) return model;
    const text = (l: Lora) =>
      `rank ${l.rank}, alpha ${l.alpha} for ${l.targetModules.join(", ") || "all layers"}`;
    throw new RangeError(`Cannot add adapters of ${text(lora)}: the model has some of ${text(given)}`);
  }
  if (!Number.isSafeInteger(rank) || rank < 1) {
    throw new RangeError(`Cannot add adapters of rank ${rank}: expected an integer ≥ 1`);
  }
  if (!(alpha > 0 && Number.isFinite(alpha))) {
    throw new RangeError(`Cannot add adapters of alpha ${alpha}: expected a positive number`);
  }
  const layers = [...llamaParameterShapes(model).keys()].filter((name) => name.endsWith(".weight"))
    .map((name) => name.slice(0, -".weight".length));
  const all = { rank, alpha, targetModules: [] };
  const known = [
    ...new Set(layers.filter((l) => isAdapted({ lora: all }, l)).map((l) => l.slice(l.lastIndexOf(".") + 1))),
  ];
  const foreign = targetModules.find((target) => !known.includes(target));
  if (foreign !== undefined) {
    throw new RangeError(`Cannot adapt ${foreign}: the model's linear layers are ${known.join(", ")}`);
  }
  const targets = targetModules.length === 0 ? known : [...targetModules];
  return { ...model, lora: { rank, alpha, targetModules: targets.sort() } };
}

/**
 * A model with fresh adapters: A uniform in ±1/√in, B zero, so that it computes
 * what it did. The frozen parameters are shared, not copied; a model that has
 * adapters already is returned as it is. Throws RangeError as {@link adaptConfig} does.
 */
export function addLora<M extends Pick<LlamaModel, "config" | "weights">>(
  model: M,
  lora: Lora,
  seed: string | number = 0,
): M {
  const config = adaptConfig(model.config, lora);
  if (config === model.config) return model;
  const weights = new Map(model.weights);
  const rng = new Rng(seed);
  for (const [name, shape] of llamaParameterShapes(config)) {
    if (isAdapterName(name)) weights.set(name, initial(name, shape, rng));
  }
  return { ...model, config, weights };
}

function initial(name: string, shape: readonly number[], rng: Rng): Tensor {
  const data = new Float32Array(shape[0] * shape[1]);
  if (name.endsWith(LORA_A)) {
    const own = rng.fork(name);
    const bound = 1 / Math.sqrt(shape[1]);
    for (let i = 0; i < data.length; i++) data[i] = bound * (2 * own.uniform() - 1);
  }
  return { shape, data };
}
