import { Schema } from "effect";
import { count, key, Positive, section, Text } from "./_key.ts";

/** Section `policy.lora`: low-rank adapters. */
export const LoraConfig = Schema.Struct({
  rank: key(count(0), 0, "rank of the adapters that are trained in place of all parameters; 0 = train all"),
  alpha: key(Positive, 16, "adapters are scaled by alpha / rank"),
  target_modules: key(
    Schema.Array(Text),
    [],
    "linear layers that get an adapter, as [q_proj, v_proj]; [] = all of them",
  ),
});

/** Section `policy`: which model. */
export const PolicyConfig = Schema.Struct({
  path: key(
    Text,
    "fixtures/policies/household",
    "model that training starts from: a folder in Hugging Face layout, a folder of adapters, a GGUF file, or org/name[@revision] of the Hub if the local cache has it",
  ),
  reference: key(
    Schema.NullOr(Text),
    null,
    "model (as policy.path) of the frozen policy that a KL penalty or dpo reads; null = policy.path",
  ),
  context: key(
    Schema.NullOr(count(2)),
    null,
    "most tokens of a sequence, prompt and reply together; null = as many as the model has positions",
  ),
  lora: section(LoraConfig),
});
/** What {@link PolicyConfig} decodes to. */
export type PolicyConfig = typeof PolicyConfig.Type;
