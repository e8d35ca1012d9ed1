import { isGgufPath } from "../engine/gguf/read_gguf_header.ts";
import { pinned } from "../engine/hub_name.ts";
import { localBase } from "../engine/local_base.ts";
import { localModel } from "../engine/local_model.ts";
import { readJsonIfThere, readText } from "./_read_json.ts";

/**
 * The folder, or GGUF file, that has the tokenizer of a model: its own, or that of its
 * base where a folder of adapters has none. Throws FileError.
 */
export function tokenizerHome(model: string): string {
  const { path } = localModel(model);
  if (isGgufPath(path)) return path;
  const { base_model_name_or_path: base, revision } = readJsonIfThere(path, "adapter_config.json") ?? {};
  const borrows = typeof base === "string" && readText(path, "tokenizer.json") === undefined;
  return borrows ? localBase(path, pinned(base, revision)).path : path;
}
