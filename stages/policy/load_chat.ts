import { Effect } from "effect";
import { ggufConfig } from "../engine/gguf/gguf_config.ts";
import { ggufTokenizer } from "../engine/gguf/gguf_tokenizer.ts";
import { isGgufPath, readGgufHeaderSync } from "../engine/gguf/read_gguf_header.ts";
import { FileError } from "../errors.ts";
import type { Chat } from "./chat.ts";
import { makeChat } from "./make_chat.ts";

type JsonObject = Record<string, unknown>;

/**
 * Loads tokenizer and chat template of a Hugging Face folder: tokenizer.json,
 * tokenizer_config.json, and where present chat_template.jinja,
 * generation_config.json and config.json. A GGUF file has them in its metadata; a
 * folder of adapters without a tokenizer uses its base's. Fails with a
 * {@link FileError} that names the file and the field.
 */
export function loadChat(folder: string): Effect.Effect<Chat, FileError> {
  return Effect.try({
    try: () => {
      if (isGgufPath(folder)) return ggufChat(folder);
      const base = readJson(folder, "adapter_config.json", true)?.base_model_name_or_path;
      const borrows = typeof base === "string" && readText(folder, "tokenizer.json") === undefined;
      if (borrows && isGgufPath(base)) return ggufChat(base);
      return folderChat(borrows ? base : folder);
    },
    catch: (error) =>
      error instanceof FileError ? error : new FileError({ path: folder, reason: String(error) }),
  });
}

function ggufChat(path: string): Chat {
  const header = readGgufHeaderSync(path);
  return makeChat({ ...ggufTokenizer(header, path), modelConfig: ggufConfig(header, path) }, path);
}

function folderChat(folder: string): Chat {
  const config = readJson(folder, "tokenizer_config.json");
  const template = readText(folder, "chat_template.jinja");
  const optional = (name: string) => readJson(folder, name, true);
  const generationConfig = optional("generation_config.json");
  const modelConfig = optional("config.json");
  return makeChat({
    tokenizer: readJson(folder, "tokenizer.json")!,
    // Older folders keep bos_token and eos_token in a file of their own.
    tokenizerConfig: { ...optional("special_tokens_map.json"), ...config },
    ...(template === undefined ? {} : { chatTemplate: template }),
    ...(generationConfig === undefined ? {} : { generationConfig }),
    ...(modelConfig === undefined ? {} : { modelConfig }),
  }, folder);
}

function readText(folder: string, name: string): string | undefined {
  try {
    return Deno.readTextFileSync(`${folder}/${name}`);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw new FileError({ path: `${folder}/${name}`, reason: `cannot be read: ${(error as Error).message}` });
  }
}

function readJson(folder: string, name: string, optional = false): JsonObject | undefined {
  const path = `${folder}/${name}`;
  const text = readText(folder, name);
  if (text === undefined) {
    if (optional) return undefined;
    throw new FileError({ path, reason: "no such file" });
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new FileError({ path, reason: `no JSON: ${(error as Error).message}` });
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new FileError({ path, reason: "no JSON object" });
  }
  return value as JsonObject;
}
