import { Context, Effect, Layer, type Scope } from "effect";
import type { Environment } from "../../envs/env.ts";
import { needsReference } from "../../stages/config/needs_reference.ts";
import type { RunConfig } from "../../stages/config/run_config.ts";
import { Engine } from "../../stages/engine/engine.ts";
import type { EngineError, FileError, PolicyError } from "../../stages/errors.ts";
import type { Policy } from "../../stages/policy/policy.ts";
import { negativesOf } from "../negatives/negatives_of.ts";
import type { PipelineContext } from "../pipeline.ts";
import { frozenLayer } from "./run_layers.ts";

/**
 * What the run's algorithm needs beside its services, and nothing that it does not: a
 * frozen reference, a teacher, failed attempts. Models are released with the scope.
 */
export const runContext = Effect.fnUntraced(function* (
  config: RunConfig,
): Effect.fn.Return<
  Omit<PipelineContext, "firstStep">,
  EngineError | FileError | PolicyError,
  Engine | Policy | Environment | Scope.Scope
> {
  const negatives = yield* negativesOf(config);
  const { teacher } = config.algorithm.distillation;
  return {
    ...(teacher === null ? {} : {
      teacher: Context.get(yield* Layer.build(frozenLayer(config, teacher)), Engine),
    }),
    ...(needsReference(config) ? { reference: yield* frozenPolicy(config) } : {}),
    ...(negatives === undefined ? {} : { negatives }),
  };
});

/**
 * Log-probabilities under `policy.reference` or, without one, under the base of the
 * adapters or `policy.path`: in an engine of its own unless the base serves.
 */
const frozenPolicy = Effect.fnUntraced(function* (config: RunConfig) {
  const { path, reference: other } = config.policy;
  const { reference } = yield* Engine;
  if (other === null && reference !== undefined) return reference;
  const services = yield* Layer.build(frozenLayer(config, other ?? path));
  return Context.get(services, Engine).logprobs;
});
