/**
 * `deno task warm-start`: makes a starting policy.
 *
 * @module
 */
import { Effect, Result } from "effect";
import type { School } from "../../envs/demonstrator.ts";
import { schools } from "../../envs/schools.ts";
import { Engine } from "../../stages/engine/engine.ts";
import { initLlamaWeights } from "../../stages/engine/init_llama_weights.ts";
import { onnxEngine } from "../../stages/engine/onnx_engine.ts";
import { readLlamaFolder } from "../../stages/engine/read_llama_folder.ts";
import type { Weights } from "../../stages/engine/weights.ts";
import { ConfigError } from "../../stages/errors.ts";
import type { Arguments } from "../command/read_arguments.ts";
import { requireOutput } from "../run_folder/require_output.ts";
import { runVerb } from "../command/run_verb.ts";
import type { Verb } from "../command/verb.ts";
import { loadChat } from "../../stages/policy/load_chat.ts";
import { copyPolicyFiles } from "../run_folder/policy_files.ts";
import { tryFile } from "../run_folder/try_file.ts";
import { REFLECTION_INSTRUCTION } from "../run/stage_options.ts";
import { makePolicyFiles } from "../warm_start/make_policy.ts";
import { type Recipe, recipes } from "../warm_start/recipe.ts";
import { teach } from "../warm_start/teach.ts";

const verb: Verb = {
  name: "warm-start",
  summary: "Makes a starting policy by supervised training on demonstrations, in Hugging Face layout.",
  usage: "[recipe=household] [out=fixtures/policies/<recipe>]",
  details: [`Recipes: ${Object.keys(recipes).join(", ")}. The result depends on the recipe alone.`],
  sections: [],
};

/** Trains `recipe` and writes the model folder `out`. */
export const warmStart = Effect.fn("warmStart")(
  function* (recipe: Recipe, out: string, threads: number, note: (text: string) => void) {
    const school = schools[recipe.environment](recipe.level);
    const start = typeof recipe.model === "string"
      ? yield* continued(recipe.model)
      : fresh(school, recipe.model, recipe.seed);
    const { config, chat } = start;
    note(`vocabulary ${config.vocabSize}, width ${config.hiddenSize}, ${config.layers} layers`);
    const parts = recipe.freshMoments ? recipe.phases.map((phase) => [phase]) : [recipe.phases];
    let weights: Weights = start.weights;
    for (const phases of parts) {
      weights = yield* Effect.gen(function* () {
        const engine = yield* Engine;
        note(`${engine.parameters} parameters on ${engine.provider}`);
        for (const phase of phases) {
          yield* teach(phase, recipe, { school, chat, instruction: REFLECTION_INSTRUCTION, note });
        }
        yield* tryFile(out, () => Deno.mkdirSync(out, { recursive: true }));
        yield* engine.save(out);
        return yield* engine.weights;
      }).pipe(Effect.provide(onnxEngine({ config, weights }, { threads, tokenBudget: 16384 })));
    }
    yield* tryFile(out, () => {
      start.writeTokenizer(out);
      // A starting policy begins with fresh moments.
      Deno.removeSync(`${out}/optimizer.safetensors`);
    });
  },
);

/** Random weights, and a tokenizer that covers the school's texts. */
function fresh(school: School, model: Exclude<Recipe["model"], string>, seed: number) {
  const { config, chat, ...files } = makePolicyFiles(school, model, REFLECTION_INSTRUCTION);
  const json = (value: unknown) => JSON.stringify(value, null, 1) + "\n";
  return {
    config,
    weights: initLlamaWeights(config, seed),
    chat,
    writeTokenizer: (out: string) => {
      Deno.writeTextFileSync(`${out}/tokenizer.json`, json(files.tokenizer));
      Deno.writeTextFileSync(`${out}/tokenizer_config.json`, json(files.tokenizerConfig));
    },
  };
}

/** The policy in `folder`, with its tokenizer. */
const continued = Effect.fnUntraced(function* (folder: string) {
  const { config, weights } = yield* readLlamaFolder(folder);
  const chat = yield* loadChat(folder);
  return { config, weights, chat, writeTokenizer: (out: string) => copyPolicyFiles(folder, out) };
});

/** Reads `recipe=` and `out=`. */
function readRecipe(
  { file, overrides }: Arguments,
): Result.Result<{ recipe: Recipe; out: string }, ConfigError> {
  const given = Object.fromEntries(
    overrides.map((text) => [text.split("=")[0], text.slice(text.indexOf("=") + 1)]),
  );
  const { recipe: name = "household", out = `fixtures/policies/${name}`, ...unknown } = given;
  const faults = Object.keys(unknown).map((path) => ({
    path,
    message: "no such setting; known are recipe and out",
  }));
  if (file !== undefined) faults.push({ path: file, message: "unexpected; settings are written name=value" });
  if (!Object.hasOwn(recipes, name)) {
    faults.push({ path: "recipe", message: `${name} is none of ${Object.keys(recipes).join(", ")}` });
  }
  if (faults.length > 0) return Result.fail(new ConfigError({ source: "command line", faults }));
  return Result.succeed({ recipe: recipes[name], out });
}

if (import.meta.main) {
  await runVerb(verb, (args) =>
    Effect.gen(function* () {
      const { recipe, out } = yield* Effect.fromResult(readRecipe(args));
      yield* requireOutput("out", out, "folder");
      yield* warmStart(recipe, out, navigator.hardwareConcurrency, console.log);
      console.log(`Written: ${out}`);
    }));
}
