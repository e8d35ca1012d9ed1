import { Effect, Layer } from "effect";
import type { Environment } from "../../envs/env.ts";
import type { RunConfig } from "../../stages/config/run_config.ts";
import type { Engine } from "../../stages/engine/engine.ts";
import { addLora } from "../../stages/engine/add_lora.ts";
import { onnxEngine } from "../../stages/engine/onnx_engine.ts";
import { type LlamaModel, readLlamaFolder } from "../../stages/engine/read_llama_folder.ts";
import { readOwnAdapters } from "../../stages/engine/read_own_adapters.ts";
import type { Weights } from "../../stages/engine/weights.ts";
import { EngineError, type FileError, type PolicyError } from "../../stages/errors.ts";
import type { Chat } from "../../stages/policy/chat.ts";
import { loadChat } from "../../stages/policy/load_chat.ts";
import { onnxPolicy } from "../../stages/policy/onnx_policy.ts";
import type { Policy } from "../../stages/policy/policy.ts";
import { environmentOf } from "./environment_of.ts";

/**
 * The services of a run: engine and behaviour policy start from the model in `folder`,
 * which is read once; the engine's reference is `policy.path`, also when a run resumes
 * from a checkpoint in `folder`.
 */
export function runLayers(
  config: RunConfig,
  folder: string,
): Layer.Layer<Engine | Policy | Environment, EngineError | FileError | PolicyError> {
  const services = Effect.gen(function* () {
    const chat = yield* loadChat(folder);
    const model = yield* readModel(config, folder);
    const resumes = folder !== config.policy.path && model.config.lora !== undefined;
    const start = resumes ? yield* readOwnAdapters(config.policy.path, model.config) : undefined;
    return Layer.mergeAll(engineOf(config, model, start), policyOf(config, model, chat));
  });
  return Layer.mergeAll(Layer.unwrap(services), environmentOf(config));
}

/** An engine that holds the model in `folder`. */
export function engineLayer(
  config: RunConfig,
  folder: string,
): Layer.Layer<Engine, EngineError | FileError> {
  return Layer.unwrap(Effect.map(readModel(config, folder), (model) => engineOf(config, model)));
}

/** An engine that only scores, with the model in `folder`. */
export function frozenLayer(
  config: RunConfig,
  folder: string,
): Layer.Layer<Engine, EngineError | FileError> {
  const engine = (model: LlamaModel) => onnxEngine({ model }, { ...engineOptions(config), frozen: true });
  return Layer.unwrap(Effect.map(readLlamaFolder(folder, config.engine.frozen_type), engine));
}

/** The behaviour policy alone, for evaluation. */
export function policyLayer(
  config: RunConfig,
  folder: string,
): Layer.Layer<Policy, EngineError | FileError | PolicyError> {
  return Layer.unwrap(Effect.gen(function* () {
    const chat = yield* loadChat(folder);
    return policyOf(config, yield* readModel(config, folder), chat);
  }));
}

/** The model in `folder`, with the adapters that a run trains if it trains some. */
function readModel(
  { engine: { frozen_type }, policy: { lora: { rank, alpha, target_modules } } }: RunConfig,
  folder: string,
): Effect.Effect<LlamaModel, EngineError | FileError> {
  return Effect.flatMap(readLlamaFolder(folder, frozen_type), (model) =>
    Effect.try({
      try: () => rank === 0 ? model : addLora(model, { rank, alpha, targetModules: target_modules }),
      catch: (cause) => new EngineError({ operation: "load the policy", reason: (cause as Error).message }),
    }));
}

function engineOf(config: RunConfig, model: LlamaModel, start?: Weights) {
  const { recompute } = config.engine;
  return onnxEngine({ model }, {
    ...engineOptions(config),
    recompute,
    ...(start !== undefined && { start }),
  });
}

function engineOptions({ engine }: RunConfig) {
  const { provider, threads, token_budget: tokenBudget } = engine;
  // Where it is allowed, the engine decides by the size of the model.
  return { provider, threads, tokenBudget, sharesPrefixes: engine.share_prefixes ? undefined : false };
}

function policyOf({ engine, rollout, policy }: RunConfig, { config, weights }: LlamaModel, chat: Chat) {
  const { provider, threads } = engine;
  const lanes = rollout.decode_lanes > 0 ? { lanes: rollout.decode_lanes } : {};
  const context = policy.context === null ? {} : { contextLength: policy.context };
  const { decode_batch: batchSize, pack_weights: packWeights } = rollout;
  return onnxPolicy({
    config,
    weights,
    chat,
    batchSize,
    packWeights,
    ...lanes,
    ...context,
    provider,
    threads,
  });
}
