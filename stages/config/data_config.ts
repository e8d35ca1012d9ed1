import { Schema } from "effect";
import { Fraction, key, Text } from "./_key.ts";

const file = (split: string) =>
  key(
    Schema.NullOr(Text),
    null,
    `file with the rows of split ${split}, JSON lines or one JSON array, for environments that read their tasks`,
  );

/** Section `data`: where tasks are read from and how their answers are written. */
export const DataConfig = Schema.Struct({
  train: file("train"),
  valid: file("valid"),
  test: file("test"),
  bad_rows: key(Fraction, 0, "largest share of malformed rows that are left out; more is an error"),
  math_answer: key(
    Schema.Literals(["boxed", "hashes"]),
    "boxed",
    "how answers to mathematical questions are written: boxed, or hashes for a number behind ####",
  ),
  call_format: key(
    Schema.Literals(["json", "llama3", "mistral", "openai", "deepseek", "python"]),
    "json",
    "wire format of function calls",
  ),
});
/** What {@link DataConfig} decodes to. */
export type DataConfig = typeof DataConfig.Type;
