import { Schema } from "effect";
import { key, Text } from "./_key.ts";

/** Section `policy`: which model. */
export const PolicyConfig = Schema.Struct({
  path: key(
    Text,
    "fixtures/policies/household",
    "model folder in Hugging Face layout that training starts from",
  ),
});
/** What {@link PolicyConfig} decodes to. */
export type PolicyConfig = typeof PolicyConfig.Type;
