import type { Environment } from "../../envs/env.ts";
import type { PolicyError } from "../errors.ts";
import type { Policy } from "../policy/policy.ts";
import type { Sampled, TaskAt } from "../record.ts";
import { batchStage, type Stage } from "../stage.ts";
import { sampleGroups, type SampleOptions } from "./sample_groups.ts";

/**
 * The first stage: several attempts at each task, drawn from the behaviour
 * policy. `batch` tasks are played together; a failing environment costs its own
 * attempt, which then has reward null.
 */
export function sample(
  options: SampleOptions & { readonly batch: number },
): Stage<TaskAt, Sampled, PolicyError, Policy | Environment> {
  return batchStage(options.batch, (tasks) => sampleGroups(tasks, options));
}
