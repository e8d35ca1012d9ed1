import type { RunConfig } from "../stages/config/run_config.ts";
import type { LlamaConfig } from "../stages/engine/llama_config.ts";
import { llamaParameterShapes } from "../stages/engine/llama_parameter_shapes.ts";

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
  /** Estimates, in bytes. */
  readonly memory: {
    /** Weights, behaviour copy, gradient and two moments in float32. */
    readonly parameters: number;
    /** Keys and values of the sequences that are decoded together, at full context. */
    readonly cache: number;
    /** What the backward pass of one micro-batch keeps. */
    readonly activations: number;
  };
}

const FLOAT = 4;

/** Sizes of a run by `config` with a policy of this architecture. */
export function planSizes(config: RunConfig, architecture: LlamaConfig): PlanSizes {
  const context = Math.min(architecture.maxPositions, config.policy.context ?? Infinity);
  const model = { ...architecture, maxPositions: context };
  const { rollout, trainer, task, engine } = config;
  const parameters = [...llamaParameterShapes(model).values()]
    .reduce((sum, shape) => sum + shape.reduce((a, b) => a * b, 1), 0);
  const rowsPerStep = rollout.batch_size * rollout.n;
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
    memory: {
      parameters: 5 * FLOAT * parameters,
      cache: 2 * FLOAT * rollout.decode_batch * model.maxPositions * model.layers * model.kvHeads *
        model.headDim,
      activations: FLOAT * engine.token_budget * floatsPerToken(model),
    },
  };
}

/** Tensors of one token that a decoder's backward pass needs: norms, projections, attention weights, MLP, logits. */
function floatsPerToken(model: LlamaConfig): number {
  const { hiddenSize: d, intermediateSize: f, heads, kvHeads, headDim, layers, maxPositions } = model;
  const layer = 6 * d + 3 * (heads + 2 * kvHeads) * headDim + 2 * heads * maxPositions + 4 * f;
  return layers * layer + 2 * model.vocabSize;
}
