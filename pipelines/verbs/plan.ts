/**
 * `deno task plan`: the sizes of a run, without running it.
 *
 * @module
 */
import { Effect } from "effect";
import { readLlamaConfig } from "../../stages/engine/read_llama_folder.ts";
import { readConfig } from "../command/read_config.ts";
import { requireAdaptable } from "../command/require_policy.ts";
import { runVerb } from "../command/run_verb.ts";
import type { Verb } from "../command/verb.ts";
import { planSizes } from "../planning/plan_sizes.ts";
import { table } from "../terminal/table.ts";

const verb: Verb = {
  name: "plan",
  summary: "Prints the sizes of a run without running it; of the policy it reads only config.json.",
  usage: "[config.yaml] [section.key=value ...]",
  sections: ["task", "data", "policy", "rollout", "trainer", "engine"],
};

const count = (n: number) => n.toLocaleString("en-US");
const megabytes = (bytes: number) => `${count(Math.ceil(bytes / 1e6))} MB`;

if (import.meta.main) {
  await runVerb(verb, (args) =>
    Effect.gen(function* () {
      const config = yield* readConfig(args);
      yield* requireAdaptable(config);
      const model = yield* readLlamaConfig(config.policy.path, config.engine.frozen_type);
      const sizes = planSizes(config, model);
      const { memory } = sizes;
      console.log(table([
        ["plan", ""],
        ["run folder", config.trainer.run_dir ?? ""],
        ["parameters", count(sizes.parameters)],
        ["context length (tokens)", count(sizes.context)],
        ["optimiser steps", count(config.trainer.total_steps)],
        ["rows per step, at most", count(sizes.rowsPerStep)],
        ["tokens per step, at most", count(sizes.mostTokensPerStep)],
        ["training games", count(sizes.trainingGames)],
        ["evaluations", count(sizes.evaluations)],
        ["evaluation games", count(sizes.evaluationGames)],
        ["memory: frozen parameters", megabytes(memory.frozen)],
        ["memory: trained parameters, copy, gradient, moments", megabytes(memory.trained)],
        ["memory: matrices packed for sampling", megabytes(memory.packed)],
        ["memory: decoding", megabytes(memory.cache)],
        ["memory: activations", megabytes(memory.activations)],
        ["memory: output head", megabytes(memory.head)],
        ["memory: runtime", megabytes(memory.runtime)],
        ["memory: sum (estimate, sequences at full context)", megabytes(memory.total)],
      ]));
    }));
}
