import { Schema } from "effect";
import { count, key, Positive, Seconds } from "./_key.ts";

/** Section `rollout`: how attempts are sampled. */
export const RolloutConfig = Schema.Struct({
  n: key(count(1), 8, "attempts per task, base attempts and retries together (group size)"),
  // Every seed has a million tasks of its own.
  batch_size: key(count(1, 1e6), 8, "tasks per optimiser step"),
  concurrency: key(count(1), 8, "environments that step at once; changes nothing but speed"),
  temperature: key(Positive, 1, "sampling temperature; log-probabilities are taken at the same one"),
  max_tokens: key(count(1), 16, "most tokens of one turn"),
  decode_batch: key(count(1), 32, "sequences decoded together"),
  decode_lanes: key(
    count(0, 64),
    0,
    "batches that the cpu decodes side by side; 0 = 2 for a model of at most 4 million parameters, else 1",
  ),
  pack_weights: key(
    Schema.Boolean,
    true,
    "hold the matrices of a model of more than 4 million parameters twice, packed for sampling; not those in float16",
  ),
  env_timeout_s: key(Seconds, 30, "deadline of one environment operation, in seconds"),
});
/** What {@link RolloutConfig} decodes to. */
export type RolloutConfig = typeof RolloutConfig.Type;
