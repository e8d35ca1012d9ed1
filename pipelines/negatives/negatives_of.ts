import { Effect } from "effect";
import type { RunConfig } from "../../stages/config/run_config.ts";
import { REFLECTIVE_TEMPLATE, TEACHER_TEMPLATE } from "../../stages/negatives/reflective_prompt.ts";
import { Policy } from "../../stages/policy/policy.ts";
import { readNegatives } from "./read_negatives.ts";

/** The golden negative trajectories of a run, checked; undefined if it reads none. */
export const negativesOf = Effect.fnUntraced(function* (config: RunConfig) {
  const { algorithm: { reflective }, data } = config;
  if (reflective.file === null) return undefined;
  const limits = {
    template: reflectiveTemplate(config),
    maxPrompt: maxPrompt(config, (yield* Policy).contextLength),
    verify: reflective.verify,
  };
  return yield* readNegatives(reflective.file, limits, data.bad_rows);
});

/** The user message of prompts with a failed attempt, for rollouts or for a teacher. */
export function reflectiveTemplate({ algorithm: { reflective, distillation } }: RunConfig): string {
  return reflective.prompt ?? (distillation.teacher === null ? REFLECTIVE_TEMPLATE : TEACHER_TEMPLATE);
}

/** Most tokens of such a prompt. */
export function maxPrompt({ algorithm: { reflective }, rollout }: RunConfig, contextLength: number): number {
  return reflective.max_prompt ?? contextLength - rollout.max_tokens;
}
