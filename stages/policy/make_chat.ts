import { Tokenizer } from "@huggingface/tokenizers";
import { FileError } from "../errors.ts";
import type { Chat } from "./chat.ts";
import { parseTemplate, TemplateChat } from "./_template_chat.ts";

type JsonObject = Readonly<Record<string, unknown>>;

/** The parsed files of a Hugging Face folder that a {@link Chat} is made from. */
export interface ChatFiles {
  /** tokenizer.json */
  readonly tokenizer: JsonObject;
  /** tokenizer_config.json */
  readonly tokenizerConfig: JsonObject;
  /** chat_template.jinja, which newer folders have instead of a field of tokenizer_config.json. */
  readonly chatTemplate?: string;
  /** generation_config.json, for its `eos_token_id`. */
  readonly generationConfig?: JsonObject;
  /** config.json, for its `vocab_size` and `eos_token_id`. */
  readonly modelConfig?: JsonObject;
}

/**
 * Makes a {@link Chat} and checks that tokenizer, template and model agree: ids
 * fit the model's vocabulary, the template writes BOS once and keeps earlier
 * turns. Throws {@link FileError} that names the file (in `folder`) and the field.
 */
export function makeChat(files: ChatFiles, folder = "."): Chat {
  const fail = (file: string, reason: string): never => {
    throw new FileError({ path: `${folder}/${file}`, reason });
  };
  const attempt = <T>(file: string, reason: string, run: () => T): T => {
    try {
      return run();
    } catch (error) {
      return fail(file, `${reason}: ${error instanceof Error ? error.message : error}`);
    }
  };
  const vocab = (files.tokenizer.model as { vocab?: unknown } | null | undefined)?.vocab;
  if (typeof vocab !== "object" || vocab === null) {
    fail("tokenizer.json", "field model.vocab is missing or no table");
  }
  const tokenizer = attempt(
    "tokenizer.json",
    "no usable tokenizer",
    () => new Tokenizer({ added_tokens: [], ...files.tokenizer }, files.tokenizerConfig),
  );
  const vocabularySize = largestId(tokenizer) + 1;
  const vocabSize = files.modelConfig?.vocab_size;
  if (typeof vocabSize === "number" && vocabularySize > vocabSize) {
    fail(
      "tokenizer.json",
      `token id ${vocabularySize - 1} (${JSON.stringify(tokenizer.id_to_token(vocabularySize - 1))}) ` +
        `does not fit vocab_size ${vocabSize} of config.json: tokenizer and model do not belong together`,
    );
  }
  const source = files.chatTemplate ?? templateOf(files.tokenizerConfig.chat_template);
  if (source === undefined) fail("tokenizer_config.json", "field chat_template is missing or no template");
  const templateFile = files.chatTemplate === undefined ? "tokenizer_config.json" : "chat_template.jinja";
  const template = attempt(templateFile, "chat_template does not parse", () => parseTemplate(source!));
  const special = (name: string) => contentOf(files.tokenizerConfig[name]);
  const eos = special("eos_token");
  if (eos !== undefined && tokenizer.token_to_id(eos) === undefined) {
    fail("tokenizer_config.json", `eos_token ${JSON.stringify(eos)} is no token of tokenizer.json`);
  }
  const chat = attempt(templateFile, "chat_template", () =>
    new TemplateChat({
      tokenizer,
      vocabularySize,
      template,
      bosToken: special("bos_token"),
      eosToken: eos,
      unknownToken: contentOf((files.tokenizer.model as JsonObject).unk_token) ?? special("unk_token"),
      stopIds: [
        ...(eos === undefined ? [] : [tokenizer.token_to_id(eos)]),
        ...eosIds(files.generationConfig?.eos_token_id),
        ...eosIds(files.modelConfig?.eos_token_id),
      ].filter((id) => id !== undefined),
    }));
  const fault = chat.fault(files.tokenizerConfig.add_bos_token === true);
  if (fault !== undefined) fail(templateFile, `chat_template: ${fault}`);
  if (chat.stopIds.size === 0) {
    fail("tokenizer_config.json", "field eos_token is missing: nothing ends an assistant turn");
  }
  return chat;
}

function largestId(tokenizer: Tokenizer): number {
  let largest = -1;
  for (const id of tokenizer.get_vocab(true).values()) largest = Math.max(largest, id);
  for (const id of tokenizer.get_added_tokens_decoder().keys()) largest = Math.max(largest, id);
  return largest;
}

/** `chat_template` is a template or a list of named ones. */
function templateOf(field: unknown): string | undefined {
  if (typeof field === "string") return field;
  if (!Array.isArray(field)) return undefined;
  const named = field.find((entry) => entry?.name === "default") ?? field[0];
  return typeof named?.template === "string" ? named.template : undefined;
}

/** A special token is its text or an object with its text. */
function contentOf(field: unknown): string | undefined {
  if (typeof field === "string") return field;
  const content = (field as { content?: unknown } | null | undefined)?.content;
  return typeof content === "string" ? content : undefined;
}

function eosIds(field: unknown): number[] {
  const list = Array.isArray(field) ? field : [field];
  return list.filter((id): id is number => Number.isInteger(id));
}
