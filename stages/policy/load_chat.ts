import { Effect } from "effect";
import { ggufConfig } from "../engine/gguf/gguf_config.ts";
import { ggufTokenizer } from "../engine/gguf/gguf_tokenizer.ts";
import { isGgufPath, readGgufHeaderSync } from "../engine/gguf/read_gguf_header.ts";
import { FileError } from "../errors.ts";
import { readJson, readJsonIfThere, readText } from "./_read_json.ts";
import type { Chat } from "./chat.ts";
import { makeChat } from "./make_chat.ts";
import { tokenizerHome } from "./tokenizer_home.ts";

/**
 * Loads tokenizer and chat template of a Hugging Face folder (or a name of the Hub that
 * is in the local cache): tokenizer.json, tokenizer_config.json, and where present
 * chat_template.jinja, generation_config.json and config.json. A GGUF file has them in its metadata; a
 * folder of adapters without a tokenizer uses its base's. Fails with a
 * {@link FileError} that names the file and the field.
 */
export function loadChat(model: string): Effect.Effect<Chat, FileError> {
  return Effect.try({
    try: () => {
      const home = tokenizerHome(model);
      return isGgufPath(home) ? ggufChat(home) : folderChat(home);
    },
    catch: (error) =>
      error instanceof FileError ? error : new FileError({ path: model, reason: String(error) }),
  });
}

function ggufChat(path: string): Chat {
  const header = readGgufHeaderSync(path);
  return makeChat({ ...ggufTokenizer(header, path), modelConfig: ggufConfig(header, path) }, path);
}

function folderChat(folder: string): Chat {
  const config = readJson(folder, "tokenizer_config.json");
  const template = readText(folder, "chat_template.jinja");
  const optional = (name: string) => readJsonIfThere(folder, name);
  const generationConfig = optional("generation_config.json");
  const modelConfig = optional("config.json");
  return makeChat({
    tokenizer: readJson(folder, "tokenizer.json"),
    // Older folders keep bos_token and eos_token in a file of their own.
    tokenizerConfig: { ...optional("special_tokens_map.json"), ...config },
    ...(template === undefined ? {} : { chatTemplate: template }),
    ...(generationConfig === undefined ? {} : { generationConfig }),
    ...(modelConfig === undefined ? {} : { modelConfig }),
  }, folder);
}
