import { ggufTokenizer } from "../engine/gguf/gguf_tokenizer.ts";
import { isGgufPath, readGgufHeaderSync } from "../engine/gguf/read_gguf_header.ts";
import { readJson } from "./_read_json.ts";
import { tokenizerHome } from "./tokenizer_home.ts";

/** The tokenizer of a model folder, a folder of adapters, a GGUF file or a name of the Hub, as tokenizer.json has it. Throws FileError. */
export function readTokenizer(model: string): Readonly<Record<string, unknown>> {
  const home = tokenizerHome(model);
  return isGgufPath(home)
    ? ggufTokenizer(readGgufHeaderSync(home), home).tokenizer
    : readJson(home, "tokenizer.json");
}
