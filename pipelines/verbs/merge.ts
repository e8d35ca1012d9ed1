/**
 * `deno task merge`: adapters and their base as one model folder.
 *
 * @module
 */
import { Effect } from "effect";
import { ConfigError } from "../../stages/errors.ts";
import type { Arguments } from "../command/read_arguments.ts";
import { requireModel } from "../command/require_policy.ts";
import { requireOutput } from "../run_folder/require_output.ts";
import { runVerb } from "../command/run_verb.ts";
import type { Verb } from "../command/verb.ts";
import { mergePolicy } from "../run_folder/merge_policy.ts";

const verb: Verb = {
  name: "merge",
  summary: "Writes adapters and their base, or a GGUF file, as one model folder in Hugging Face layout.",
  usage: "<adapters, model folder or GGUF file> out=<folder>",
  details: ["The folder holds float32 weights, tokenizer and chat template, and must hold no model yet."],
  sections: [],
};

if (import.meta.main) {
  await runVerb(verb, (args) =>
    Effect.gen(function* () {
      const { from, out } = yield* readMerge(args);
      yield* requireModel("model", from);
      yield* requireOutput("out", out, "folder");
      const { parameters, merged } = yield* mergePolicy(from, out);
      const what = merged ? "adapters merged" : "no adapters, written as it is";
      console.log(`${out}: ${parameters.toLocaleString("en-US")} parameters, ${what}`);
    }));
}

function readMerge({ file, overrides }: Arguments) {
  const settings = overrides.map((
    text,
  ) => [text.slice(0, text.indexOf("=")), text.slice(text.indexOf("=") + 1)]);
  const faults = settings.filter(([key]) => key !== "out")
    .map(([path]) => ({ path, message: "no such setting; known: out" }));
  const out = settings.findLast(([key]) => key === "out")?.[1];
  if (file === undefined) {
    faults.push({ path: "model", message: "is missing: adapters, a model folder or a GGUF file" });
  }
  if (!out) faults.push({ path: "out", message: "is missing: the folder to write, out=<folder>" });
  return faults.length > 0 || file === undefined || !out
    ? Effect.fail(new ConfigError({ source: "merge", faults }))
    : Effect.succeed({ from: file, out });
}
