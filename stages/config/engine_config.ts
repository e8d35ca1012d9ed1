import { Schema } from "effect";
import { count, key } from "./_key.ts";

/** Section `engine`: where the arithmetic runs. */
export const EngineConfig = Schema.Struct({
  provider: key(
    Schema.Literals(["auto", "cpu", "cuda", "webgpu"]),
    "auto",
    "execution provider: auto (cuda where it works, else cpu), cpu, cuda or webgpu",
  ),
  threads: key(
    count(1, 1024),
    2,
    "threads of the cpu provider",
  ),
  token_budget: key(count(1), 4096, "most tokens of a micro-batch, padding included"),
  frozen_type: key(
    Schema.Literals(["float32", "float16", "int8"]),
    "float32",
    "form in which matrices that are not trained are held (below adapters, of a reference or teacher): float32; float16, half the memory; int8, a third of it, in blocks of 32 with a scale, a GGUF file's own where it has 8 or 4 bits; both cost some speed",
  ),
  share_prefixes: key(
    Schema.Boolean,
    true,
    "compute what rows have in common at their start once, for a model of more than 4 million parameters",
  ),
  recompute: key(
    Schema.Boolean,
    false,
    "compute the activations within a block again in the backward pass: less memory, a third more arithmetic",
  ),
});
/** What {@link EngineConfig} decodes to. */
export type EngineConfig = typeof EngineConfig.Type;
