import type { RunConfig } from "../../stages/config/run_config.ts";
import type { LlamaConfig } from "../../stages/engine/llama_config.ts";
import { staysInCache } from "../../stages/engine/stays_in_cache.ts";
import { defaultLanes } from "../../stages/policy/onnx/lanes/default_lanes.ts";
import { type MemoryPlan, planMemory } from "./plan_memory.ts";
import { parameterCount } from "../../stages/engine/parameter_count.ts";

/** What a run will take, before anything runs. */
export interface PlanSizes {
  readonly parameters: number;
  /** Most tokens of a sequence. */
  readonly context: number;
  /** Rows (attempts and retries) of one optimiser step. */
  readonly rowsPerStep: number;
  /** Most tokens of one optimiser step: every row filled to the context. */
  readonly mostTokensPerStep: number;
  readonly trainingGames: number;
  readonly evaluations: number;
  readonly evaluationGames: number;
  /** Estimates in bytes, every sequence filled to the context. */
  readonly memory: MemoryPlan;
}

/** Most logits at once; the engine's default. */
const LOGITS = 2 ** 23;

/** Sizes of a run by `config` with a policy of this architecture. */
export function planSizes(config: RunConfig, architecture: LlamaConfig): PlanSizes {
  const context = Math.min(architecture.maxPositions, config.policy.context ?? Infinity);
  const model = { ...adapted(architecture, config), maxPositions: context };
  const { rollout, trainer, task, engine } = config;
  const parameters = parameterCount(model);
  const rowsPerStep = rollout.batch_size * rollout.n;
  const tokens = Math.min(Math.max(engine.token_budget, context), rowsPerStep * context);
  const inBetween = trainer.eval_steps === 0 ? 0 : Math.ceil(trainer.total_steps / trainer.eval_steps) - 1;
  const evaluations = (2 + inBetween) * config.eval.temperatures.length;
  return {
    parameters,
    context,
    rowsPerStep,
    mostTokensPerStep: rowsPerStep * model.maxPositions,
    trainingGames: trainer.total_steps * rollout.batch_size,
    evaluations,
    evaluationGames: evaluations * task.eval_tasks,
    memory: planMemory(model, {
      tokens,
      // A tree of rows that begin alike may be twice as long as one.
      time: engine.share_prefixes && !staysInCache(model) ? Math.min(tokens, 2 * context) : context,
      head: Math.min(tokens, Math.max(1, Math.floor(LOGITS / model.vocabSize))),
      recompute: engine.recompute,
      decoding: {
        rows: Math.min(rollout.decode_batch, rowsPerStep),
        sequences: rowsPerStep,
        tokens: context,
        packed: rollout.pack_weights,
        lanes: rollout.decode_lanes || defaultLanes(model),
      },
    }),
  };
}

/** The architecture with the adapters that a run trains. */
function adapted(model: LlamaConfig, { policy: { lora } }: RunConfig): LlamaConfig {
  const { rank, alpha, target_modules: targetModules } = lora;
  return rank === 0 ? model : { ...model, lora: { rank, alpha, targetModules } };
}
