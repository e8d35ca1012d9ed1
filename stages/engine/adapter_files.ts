import { Effect } from "effect";
import { FileError } from "../errors.ts";
import { encodeSafetensors } from "./encode_safetensors.ts";
import { hubName, pinned } from "./hub_name.ts";
import { llamaParameterShapes } from "./llama_parameter_shapes.ts";
import { isAdapterName, type Lora } from "./lora.ts";
import type { LlamaConfig } from "./llama_config.ts";
import { attemptFile, parseJson, readBytes, readSafetensors } from "./read_safetensors.ts";
import type { Tensor, Weights } from "./weights.ts";
import { writeFileAtomic } from "./write_file_atomic.ts";

/** PEFT's names are those of the model it wraps. */
const PREFIX = "base_model.model.";

/** What `adapter_config.json` says. */
export interface AdapterConfig {
  readonly lora: Lora;
  /** The frozen model: `base_model_name_or_path`, with `@revision` if the file has one. */
  readonly base: string;
}

/** Reads `adapter_config.json` in the layout of PEFT; what changes the computation beyond rank and alpha is refused. */
export function readAdapterConfig(folder: string): Effect.Effect<AdapterConfig, FileError> {
  const path = `${folder}/adapter_config.json`;
  return Effect.flatMap(readBytes(path), (bytes) =>
    attemptFile(path, () => {
      const fields = parseJson(bytes) ?? {};
      const fail = (field: string, expected: string): never => {
        const reason = `${field} is ${JSON.stringify(fields[field])}, expected ${expected}`;
        throw new FileError({ path, reason });
      };
      if (fields.peft_type !== "LORA") fail("peft_type", '"LORA"');
      for (const field of ["use_dora", "use_rslora", "fan_in_fan_out", "modules_to_save"]) {
        const value = fields[field];
        if (value && !(Array.isArray(value) && value.length === 0)) fail(field, "false or null");
      }
      if ((fields.bias ?? "none") !== "none") fail("bias", '"none"');
      for (const field of ["rank_pattern", "alpha_pattern"]) {
        if (Object.keys(fields[field] ?? {}).length > 0) fail(field, "{}");
      }
      const { r: rank, lora_alpha: alpha, base_model_name_or_path: base } = fields;
      if (!Number.isSafeInteger(rank) || rank < 1) fail("r", "an integer ≥ 1");
      if (typeof alpha !== "number" || !(alpha > 0)) fail("lora_alpha", "a positive number");
      if (typeof base !== "string" || base === "") fail("base_model_name_or_path", "a model folder");
      const targets = fields.target_modules;
      const all = targets === "all-linear";
      const valid = all || Array.isArray(targets) && targets.every((t) => typeof t === "string");
      if (!valid) fail("target_modules", 'a list of layer names or "all-linear"');
      return {
        lora: { rank, alpha, targetModules: all ? [] : targets },
        base: pinned(base, fields.revision),
      };
    }));
}

/** Reads `adapter_model.safetensors`: exactly the adapters of `config`. */
export function readAdapters(
  folder: string,
  config: LlamaConfig,
): Effect.Effect<Map<string, Tensor>, FileError> {
  const path = `${folder}/adapter_model.safetensors`;
  return Effect.flatMap(readSafetensors(path), ({ tensors }) =>
    attemptFile(path, () => {
      const adapters = new Map<string, Tensor>();
      for (const [name, shape] of llamaParameterShapes(config)) {
        if (!isAdapterName(name)) continue;
        const tensor = tensors.get(PREFIX + name);
        if (tensor === undefined) throw new FileError({ path, reason: `${PREFIX}${name} is missing` });
        if (tensor.shape.join() !== shape.join()) {
          const reason = `${PREFIX}${name} has shape [${tensor.shape}], expected [${shape}]`;
          throw new FileError({ path, reason });
        }
        adapters.set(name, tensor);
      }
      const foreign = [...tensors.keys()].find((name) => !adapters.has(name.slice(PREFIX.length)));
      if (foreign !== undefined) {
        throw new FileError({ path, reason: `${foreign} belongs to no target of adapter_config.json` });
      }
      return adapters;
    }));
}

/** Writes `adapter_config.json` and `adapter_model.safetensors` as PEFT reads them. */
export function writeAdapters(
  folder: string,
  { rank, alpha, targetModules }: Lora,
  base: string,
  adapters: Weights,
): Effect.Effect<void, FileError> {
  const { id = base, revision = null } = hubName(base) ?? {};
  const json = {
    peft_type: "LORA",
    task_type: "CAUSAL_LM",
    base_model_name_or_path: id,
    revision,
    r: rank,
    lora_alpha: alpha,
    lora_dropout: 0,
    target_modules: targetModules,
    bias: "none",
    fan_in_fan_out: false,
    inference_mode: true,
    use_dora: false,
    use_rslora: false,
  };
  const named = new Map([...adapters].map(([name, tensor]) => [PREFIX + name, tensor]));
  return Effect.all([
    writeFileAtomic(`${folder}/adapter_config.json`, [
      new TextEncoder().encode(JSON.stringify(json, null, 2) + "\n"),
    ]),
    writeFileAtomic(`${folder}/adapter_model.safetensors`, encodeSafetensors(named)),
  ], { discard: true });
}
