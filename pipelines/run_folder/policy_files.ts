import { ggufTokenizer } from "../../stages/engine/gguf/gguf_tokenizer.ts";
import { isGgufPath, readGgufHeaderSync } from "../../stages/engine/gguf/read_gguf_header.ts";
import { pinned } from "../../stages/engine/hub_name.ts";
import { localModel } from "../../stages/engine/local_model.ts";

/** Files of a model folder that training never changes; a checkpoint carries copies, so it is a model folder itself. */
const names: readonly string[] = [
  "tokenizer.json",
  "tokenizer_config.json",
  "special_tokens_map.json",
  "added_tokens.json",
  "chat_template.jinja",
  "generation_config.json",
];

/** Copies the tokenizer and chat template files that `model` has to the folder `to`; those of a GGUF file are made from its metadata. */
export function copyPolicyFiles(model: string, to: string): void {
  const from = localModel(model).path;
  if (isGgufPath(from)) return writeTokenizer(from, to);
  let copied = 0;
  for (const name of names) {
    try {
      Deno.copyFileSync(`${from}/${name}`, `${to}/${name}`);
      copied++;
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
  const base = copied > 0 ? undefined : baseOf(from);
  if (base !== undefined) copyPolicyFiles(base, to);
}

/** What adapters without a tokenizer of their own belong to. */
function baseOf(folder: string): string | undefined {
  try {
    const fields = JSON.parse(Deno.readTextFileSync(`${folder}/adapter_config.json`));
    return pinned(fields.base_model_name_or_path, fields.revision);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

function writeTokenizer(path: string, to: string): void {
  const { tokenizer, tokenizerConfig } = ggufTokenizer(readGgufHeaderSync(path), path);
  Deno.writeTextFileSync(`${to}/tokenizer.json`, JSON.stringify(tokenizer));
  Deno.writeTextFileSync(`${to}/tokenizer_config.json`, JSON.stringify(tokenizerConfig, null, 2) + "\n");
}
