import { Tokenizer } from "@huggingface/tokenizers";

type JsonObject = Readonly<Record<string, unknown>>;

/** Texts that ways of splitting and normalising make different ids of. */
const PROBES = [
  " It'll cost WE'RE 1234567 or 3.14, naïve cafe\u0301 ﬁ Ⅷ ½\u00a0",
  "\n\n\tif x:\r\n    return  x**2 + 10_000   # <|user|> \n",
  "東京で日本語、中文。한국어 👋🏽👩‍👩‍👧 Привет مرحبا",
];

/**
 * What distinguishes two parsed tokenizer.json files, if anything does: ids with another
 * text, other merges, or another way of splitting that shows in the ids of some texts
 * (files of one tokenizer may describe it in different words). Models whose token ids
 * mean different things cannot score each other's tokens.
 */
export function tokenizerDifference(ours: JsonObject, theirs: JsonObject): string | undefined {
  const [a, b] = [textsById(ours), textsById(theirs)];
  for (const id of [...new Set([...a.keys(), ...b.keys()])].sort((x, y) => x - y)) {
    if (a.get(id) !== b.get(id)) return `id ${id} is ${shown(a.get(id))} here and ${shown(b.get(id))} there`;
  }
  if (mergesOf(ours) !== mergesOf(theirs)) return "field model.merges differs";
  const field = ["normalizer", "pre_tokenizer"]
    .find((field) => JSON.stringify(ours[field]) !== JSON.stringify(theirs[field]));
  if (field === undefined) return undefined;
  try {
    const text = otherwiseEncoded(ours, theirs);
    if (text === undefined) return undefined;
    return `field ${field} differs, and so do the ids of ${JSON.stringify(text)}`;
  } catch {
    return `field ${field} differs`;
  }
}

/** A merge is a pair, or in older files its two parts with a space between. */
function mergesOf(file: JsonObject): string {
  const { merges } = (file.model ?? {}) as { merges?: unknown };
  if (!Array.isArray(merges)) return JSON.stringify(merges);
  return merges.map((merge) => Array.isArray(merge) ? merge.join(" ") : String(merge)).join("\n");
}

function otherwiseEncoded(ours: JsonObject, theirs: JsonObject): string | undefined {
  const [a, b] = [ours, theirs].map((file) => new Tokenizer({ added_tokens: [], ...file }, {}));
  const [special] = [...a.get_added_tokens_decoder().values()].map(({ content }) => content);
  return [...PROBES, ...PROBES.map((text) => `${text}${special ?? ""}${text}`)].find((text) => {
    const [x, y] = [a, b].map((tokenizer) => tokenizer.encode(text, { add_special_tokens: false }).ids);
    return String(x) !== String(y);
  });
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
