const folder = "fixtures/tokenizers";
/** A file of fixtures/tokenizers. */
export const json = (path: string) => JSON.parse(Deno.readTextFileSync(`${folder}/${path}`));

/** The metadata that conversion to GGUF writes for a tokenizer of Hugging Face. */
export function metadataOf(name: string, pre: string): Map<string, unknown> {
  const { model, added_tokens: added } = json(`${name}/tokenizer.json`);
  const config = json(`${name}/tokenizer_config.json`);
  const tokens: string[] = [];
  const types: number[] = [];
  for (const [token, id] of Object.entries<number>(model.vocab)) [tokens[id], types[id]] = [token, 1];
  for (const { id, content, special } of added) [tokens[id], types[id]] = [content, special ? 3 : 4];
  const idOf = (token: unknown) =>
    tokens.indexOf(typeof token === "string" ? token : (token as { content: string })?.content);
  const metadata = new Map<string, unknown>([
    ["tokenizer.ggml.model", "gpt2"],
    ["tokenizer.ggml.pre", pre],
    ["tokenizer.ggml.tokens", tokens],
    ["tokenizer.ggml.token_type", types],
    ["tokenizer.ggml.merges", model.merges.map((m: string | string[]) => Array.isArray(m) ? m.join(" ") : m)],
    ["tokenizer.ggml.eos_token_id", idOf(config.eos_token)],
    ["tokenizer.chat_template", config.chat_template],
  ]);
  if (config.bos_token) metadata.set("tokenizer.ggml.bos_token_id", idOf(config.bos_token));
  return metadata;
}

/** The same for a tokenizer with SentencePiece's pieces: the merges as scores. */
export function pieceMetadataOf(name: string): Map<string, unknown> {
  const { model } = json(`${name}/tokenizer.json`);
  const metadata = metadataOf(name, "default");
  const tokens = metadata.get("tokenizer.ggml.tokens") as string[];
  const types = metadata.get("tokenizer.ggml.token_type") as number[];
  const rank = new Map<string, number>(model.merges.map((m: string | string[], i: number) => [
    Array.isArray(m) ? m.join("") : m.replace(" ", ""),
    -i,
  ]));
  tokens.forEach((token, id) => {
    if (token === model.unk_token) types[id] = 2;
    if (/^<0x[0-9A-F]{2}>$/.test(token)) types[id] = 6;
  });
  metadata.delete("tokenizer.ggml.merges");
  return new Map([
    ...metadata,
    ["general.architecture", name],
    ["tokenizer.ggml.model", "llama"],
    ["tokenizer.ggml.scores", tokens.map((token) => rank.get(token) ?? -1e4)],
    ["tokenizer.ggml.unknown_token_id", tokens.indexOf(model.unk_token)],
  ]);
}
