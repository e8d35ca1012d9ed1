import { Schema } from "effect";
import { kernels } from "../sample/kernels.ts";
import { count, key, nameIn, Positive, Text } from "./_key.ts";

const Share = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 }));

const Template = Text.check(
  Schema.makeFilter((text: string) =>
    (text.includes("{problem}") && text.includes("{attempt}")) ||
    "Expected a text with {problem} and {attempt}"
  ),
);

/** Section `algorithm.reflective`: prompts that show a failed attempt, and how many (ReflectRL). */
export const ReflectiveConfig = Schema.Struct({
  file: key(
    Schema.NullOr(Text),
    null,
    "golden negative trajectories, as deno task negatives writes them",
  ),
  kernel: key(
    nameIn("kernel", kernels),
    "cosine",
    `how the share of reflective prompts falls: ${Object.keys(kernels).join(", ")}`,
  ),
  high: key(Share, 0.5, "share at the start"),
  low: key(Share, 0.05, "share at the end"),
  warmup: key(count(0), 50, "steps before the share falls"),
  decay: key(count(1), 250, "steps in which it falls"),
  steepness: key(
    Schema.NullOr(Positive),
    null,
    "of the kernels exponential and inverse_sigmoid; null = 5 and 10",
  ),
  prompt: key(
    Schema.NullOr(Template),
    null,
    "user message of a reflective prompt, with {problem} and {attempt}; null = ReflectRL's",
  ),
  max_prompt: key(
    Schema.NullOr(count(1)),
    null,
    "most tokens of a reflective prompt; null = what the context leaves beside rollout.max_tokens",
  ),
  verify: key(Schema.Boolean, true, "replay every negative at the start: one that wins is a malformed row"),
});
/** What {@link ReflectiveConfig} decodes to. */
export type ReflectiveConfig = typeof ReflectiveConfig.Type;
