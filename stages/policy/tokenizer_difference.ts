type JsonObject = Readonly<Record<string, unknown>>;

/**
 * What distinguishes two parsed tokenizer.json files, if anything does: ids with another
 * text, or another way of splitting. Models whose token ids mean different things cannot
 * score each other's tokens.
 */
export function tokenizerDifference(ours: JsonObject, theirs: JsonObject): string | undefined {
  const [a, b] = [textsById(ours), textsById(theirs)];
  for (const id of [...new Set([...a.keys(), ...b.keys()])].sort((x, y) => x - y)) {
    if (a.get(id) !== b.get(id)) return `id ${id} is ${shown(a.get(id))} here and ${shown(b.get(id))} there`;
  }
  const merges = (file: JsonObject) => (file.model as { merges?: unknown } | undefined)?.merges;
  if (JSON.stringify(merges(ours)) !== JSON.stringify(merges(theirs))) return "field model.merges differs";
  for (const field of ["normalizer", "pre_tokenizer"]) {
    if (JSON.stringify(ours[field]) !== JSON.stringify(theirs[field])) return `field ${field} differs`;
  }
  return undefined;
}

/** Vocabulary and added tokens; `model.vocab` is a table, or a list of texts with scores. */
function textsById(file: JsonObject): Map<number, string> {
  const { vocab } = (file.model ?? {}) as { vocab?: unknown };
  const texts = new Map<number, string>();
  if (Array.isArray(vocab)) vocab.forEach((entry, id) => texts.set(id, String(entry?.[0])));
  else for (const [text, id] of Object.entries(vocab ?? {})) texts.set(Number(id), text);
  for (const added of Array.isArray(file.added_tokens) ? file.added_tokens : []) {
    texts.set(Number(added?.id), String(added?.content));
  }
  return texts;
}

function shown(text: string | undefined): string {
  return text === undefined ? "no token" : JSON.stringify(text.slice(0, 40));
}
