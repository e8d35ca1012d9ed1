/** Files of a model folder that training never changes; a checkpoint carries copies, so it is a model folder itself. */
const names: readonly string[] = [
  "tokenizer.json",
  "tokenizer_config.json",
  "special_tokens_map.json",
  "added_tokens.json",
  "chat_template.jinja",
  "generation_config.json",
];

/** Copies the tokenizer and chat template files that `from` has to `to`. */
export function copyPolicyFiles(from: string, to: string): void {
  for (const name of names) {
    try {
      Deno.copyFileSync(`${from}/${name}`, `${to}/${name}`);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
}
