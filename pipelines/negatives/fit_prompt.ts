import { Effect } from "effect";
import { Environment, type Task, type Turn } from "../../envs/env.ts";
import type { RunConfig } from "../../stages/config/run_config.ts";
import { Negatives } from "../../stages/negatives/negatives.ts";
import { Policy } from "../../stages/policy/policy.ts";
import { reflectiveOpening } from "../../stages/sample/reflective.ts";
import { fitAttempt } from "./fit_attempt.ts";
import { maxPrompt, reflectiveTemplate } from "./negatives_of.ts";

/** The attempt in a form that makes no prompt at this task too long, by `negatives.fit`; undefined if there is none. */
export const fitPrompt = Effect.fnUntraced(function* (
  attempt: string,
  task: Task,
  first: Turn,
  config: RunConfig,
) {
  const { chat, contextLength } = yield* Policy;
  const { format } = yield* Environment;
  const template = reflectiveTemplate(config);
  const length = (shown: string) => {
    const negatives = new Negatives([{ id: "", task: task.id, attempt: shown }]);
    const from = { negatives, template, share: () => 1 };
    return reflectiveOpening(from, { task, first, seed: "", chat, format })!().length;
  };
  return fitAttempt(attempt, config.negatives.fit, maxPrompt(config, contextLength), length, chat);
});
