import type { EstimatorName } from "../amplify/estimators.ts";
import { dataFaults } from "./data_faults.ts";
import { taskKinds } from "./environment_names.ts";
import { needsReference } from "./needs_reference.ts";
import { suggestName } from "./suggest_name.ts";
import { householdFaults } from "./household_faults.ts";
import { losses } from "../update/losses.ts";
import { remoteFaults } from "./remote_faults.ts";
import type { RunConfig } from "./run_config.ts";

/** A fault of a configuration. */
export interface ConfigFault {
  readonly path: string;
  readonly message: string;
}

interface Rule {
  /** Keys it reads, the one to blame first. A fault in one of them hides this rule's. */
  readonly paths: readonly string[];
  readonly check: (config: RunConfig) => string | undefined;
}

/** Estimators that compare the members of a group with each other. */
const comparing: readonly EstimatorName[] = ["grpo", "dr_grpo", "rloo", "opmd", "ngrpo", "best_worst"];

/** Levels that the environments' generators have, first to last. */
const levels: Readonly<Record<string, readonly [number, number]>> = {
  household: [0, 3],
  shop: [0, 3],
  lab: [0, 3],
  countdown: [0, 4],
};

const rules: readonly Rule[] = [
  {
    paths: ["task.level", "task.environment"],
    check: ({ task: { level, environment } }) => {
      const [first, last] = levels[environment] ?? [0, Infinity];
      return level < first || level > last
        ? `must be ${first} to ${last} with task.environment ${environment}, got ${level}`
        : undefined;
    },
  },
  {
    paths: ["rollout.n", "algorithm.estimator"],
    check: ({ rollout, algorithm }) =>
      rollout.n < 2 && comparing.includes(algorithm.estimator)
        ? `must be at least 2 with algorithm.estimator ${algorithm.estimator}: a group of one has nothing to compare, got ${rollout.n}`
        : undefined,
  },
  {
    paths: [
      "rollout.n",
      "algorithm.retries_per_base",
      "algorithm.reflection",
      "algorithm.without_reflection",
    ],
    check: ({ rollout, algorithm }) => {
      const { retries_per_base: retries } = algorithm;
      const retried = algorithm.reflection && !algorithm.without_reflection;
      return retried && rollout.n % (2 * retries) !== 0
        ? `must be a multiple of ${2 * retries} (half of it base attempts, ${
          retries === 1 ? "" : `one in ${retries} of these retried, `
        }with algorithm.retries_per_base ${retries}), got ${rollout.n}`
        : undefined;
    },
  },
  {
    paths: ["trainer.save_steps", "algorithm.sync_every"],
    check: ({ trainer: { save_steps: save }, algorithm: { sync_every: sync } }) =>
      save % sync !== 0
        ? `must be a multiple of algorithm.sync_every ${sync}: a checkpoint between two synchronisations holds no behaviour policy to resume with, got ${save}`
        : undefined,
  },
  {
    paths: ["algorithm.divergence_limit", "algorithm.loss"],
    check: ({ algorithm: { divergence_limit: limit, loss } }) =>
      limit !== null && losses[loss]().needsLogprobs === false
        ? `needs a loss of ratios, algorithm.loss ${loss} has none; got ${limit}`
        : undefined,
  },
  {
    paths: ["algorithm.retry_old_logprobs", "algorithm.loss"],
    check: ({ algorithm: { retry_old_logprobs: old, loss } }) =>
      old === "behaviour" && losses[loss]().needsLogprobs === false
        ? `needs a loss of ratios, algorithm.loss ${loss} has none; got ${old}`
        : undefined,
  },
  {
    paths: ["algorithm.loss_options.regulariser", "algorithm.loss_options.regulariser_coef"],
    check: ({ algorithm: { loss_options: { regulariser, regulariser_coef: strength } } }) =>
      regulariser !== null && regulariser !== "none" && strength === null
        ? `needs algorithm.loss_options.regulariser_coef, got ${regulariser} without it`
        : undefined,
  },
  {
    paths: ["algorithm.loss", "algorithm.estimator"],
    check: ({ algorithm: { loss, estimator } }) =>
      losses[loss]().comparesRows === true && estimator !== "best_worst"
        ? `${loss} compares a chosen with a rejected attempt and needs algorithm.estimator best_worst, got ${estimator}`
        : undefined,
  },
  {
    paths: ["policy.reference", "algorithm.kl_coef", "algorithm.loss"],
    check: (config) =>
      config.policy.reference !== null && !needsReference(config)
        ? `algorithm ${config.algorithm.name} reads no reference policy (algorithm.kl_coef is 0), got ${
          JSON.stringify(config.policy.reference)
        }`
        : undefined,
  },
  {
    paths: ["task.kinds", "task.environment"],
    check: ({ task: { kinds, environment } }) => {
      const known = taskKinds[environment];
      const unknown = Object.keys(kinds ?? {}).find((kind) => known !== undefined && !known.includes(kind));
      return unknown === undefined || known === undefined
        ? undefined
        : `${unknown}: ${suggestName("kind of task", unknown, known)}`;
    },
  },
  {
    paths: ["task.kinds"],
    check: ({ task: { kinds } }) =>
      kinds !== null && !Object.values(kinds).some((weight) => weight > 0)
        ? `at least one kind needs a weight above 0, got ${JSON.stringify(kinds)}`
        : undefined,
  },
];

/** What is wrong between keys that are each fine by themselves; `faulty` are keys not to be believed. */
export function consistencyFaults(config: RunConfig, faulty: ReadonlySet<string>): readonly ConfigFault[] {
  const faults = rules.flatMap(({ paths, check }) => {
    if (paths.some((path) => faulty.has(path))) return [];
    const message = check(config);
    return message === undefined ? [] : [{ path: paths[0], message }];
  });
  return [
    ...faults,
    ...dataFaults(config, faulty),
    ...remoteFaults(config, faulty),
    ...householdFaults(config, faulty),
  ];
}
