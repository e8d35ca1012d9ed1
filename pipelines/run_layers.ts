import { Effect, Layer } from "effect";
import type { Environment } from "../envs/env.ts";
import { environments } from "../envs/registry.ts";
import type { RunConfig } from "../stages/config/run_config.ts";
import type { Engine } from "../stages/engine/engine.ts";
import { addLora } from "../stages/engine/add_lora.ts";
import type { Lora } from "../stages/engine/lora.ts";
import { onnxEngine } from "../stages/engine/onnx_engine.ts";
import { readLlamaFolder } from "../stages/engine/read_llama_folder.ts";
import { type EngineError, type FileError, PolicyError } from "../stages/errors.ts";
import { loadChat } from "../stages/policy/load_chat.ts";
import { onnxPolicy } from "../stages/policy/onnx_policy.ts";
import type { Policy } from "../stages/policy/policy.ts";

/** The services of a run: engine and behaviour policy start from the model in `folder`. */
export function runLayers(
  config: RunConfig,
  folder: string,
): Layer.Layer<Engine | Policy | Environment, EngineError | FileError | PolicyError> {
  return Layer.mergeAll(engineLayer(config, folder), policyLayer(config, folder), environmentOf(config));
}

/** An engine that holds the model in `folder`. */
export function engineLayer(
  { engine: { provider, threads, token_budget: tokenBudget }, policy }: RunConfig,
  folder: string,
): Layer.Layer<Engine, EngineError | FileError> {
  const lora = adapters(policy);
  return onnxEngine({ folder }, { provider, threads, tokenBudget, ...(lora !== undefined && { lora }) });
}

/** An engine that only scores, with the model in `folder`. */
export function frozenLayer(
  { engine: { provider, threads, token_budget: tokenBudget } }: RunConfig,
  folder: string,
): Layer.Layer<Engine, EngineError | FileError> {
  return onnxEngine({ folder }, { provider, threads, tokenBudget, frozen: true });
}

/** The adapters that a run trains, if it trains some. */
function adapters({ lora: { rank, alpha, target_modules } }: RunConfig["policy"]): Lora | undefined {
  return rank === 0 ? undefined : { rank, alpha, targetModules: target_modules };
}

/** The behaviour policy alone, for evaluation. */
export function policyLayer(
  { engine, rollout, policy }: RunConfig,
  folder: string,
): Layer.Layer<Policy, EngineError | FileError | PolicyError> {
  return Layer.unwrap(Effect.gen(function* () {
    const chat = yield* loadChat(folder);
    const model = yield* readLlamaFolder(folder);
    const lora = adapters(policy);
    const { config, weights } = yield* Effect.try({
      try: () => lora === undefined ? model : addLora(model, lora),
      catch: (cause) => new PolicyError({ operation: "load the policy", reason: (cause as Error).message }),
    });
    return onnxPolicy({
      config,
      weights,
      chat,
      batchSize: rollout.decode_batch,
      ...(rollout.decode_lanes > 0 && { lanes: rollout.decode_lanes }),
      provider: engine.provider,
      threads: engine.threads,
    });
  }));
}

/** The environment that `task` describes. */
export function environmentOf({ rollout, task, data }: RunConfig): Layer.Layer<Environment, FileError> {
  return environments[task.environment]({
    level: task.level,
    maxTurns: task.max_turns,
    kinds: task.kinds,
    timeoutMs: rollout.env_timeout_s * 1000,
    files: { train: data.train, valid: data.valid, test: data.test },
    badRows: data.bad_rows,
    mathAnswer: data.math_answer,
    callFormat: data.call_format,
  });
}
