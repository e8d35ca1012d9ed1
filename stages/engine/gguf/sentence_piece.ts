/** What a GGUF file of `tokenizer.ggml.model` = `llama` says of its tokens. */
export interface SentencePieces {
  readonly tokens: readonly string[];
  /** Of the pieces that merges make: the higher, the earlier. */
  readonly scores: readonly number[];
  /** `tokenizer.ggml.token_type`. */
  readonly types: readonly number[];
  readonly unknownId: number;
  /** Text begins with a space, and so does what follows a special token. */
  readonly spacePrefix: boolean;
}

const NORMAL = 1;
const BYTE = 6;
const SPACE = "\u2581";

/**
 * The parts of tokenizer.json that make text pieces: SentencePiece's BPE (Kudo &
 * Richardson 2018) as transformers converts it. Spaces become `▁`; what no piece
 * holds is spelt in bytes if there are pieces for bytes.
 */
export function sentencePiece(pieces: SentencePieces): Record<string, unknown> {
  const { tokens, types, unknownId, spacePrefix } = pieces;
  const prepend = { type: "Prepend", prepend: SPACE };
  const strip = { type: "Strip", content: " ", start: 1, stop: 0 };
  return {
    normalizer: {
      type: "Sequence",
      normalizers: [
        ...(spacePrefix ? [prepend] : []),
        { type: "Replace", pattern: { String: " " }, content: SPACE },
      ],
    },
    pre_tokenizer: null,
    post_processor: null,
    decoder: {
      type: "Sequence",
      decoders: [
        { type: "Replace", pattern: { String: SPACE }, content: " " },
        { type: "ByteFallback" },
        { type: "Fuse" },
        ...(spacePrefix ? [strip] : []),
      ],
    },
    model: {
      type: "BPE",
      dropout: null,
      unk_token: tokens[unknownId] ?? null,
      continuing_subword_prefix: null,
      end_of_word_suffix: null,
      fuse_unk: true,
      byte_fallback: types.filter((type) => type === BYTE).length === 256,
      ignore_merges: false,
      vocab: Object.fromEntries(tokens.map((token, id) => [token, id])),
      merges: mergesOf(pieces),
    },
  };
}

interface Merge {
  readonly left: string;
  readonly right: string;
  readonly score: number;
}

/**
 * SentencePiece joins the neighbours whose piece has the highest score. As a list of
 * merges: every way to make a piece of two, by falling score; of equal scores, longer
 * left parts first, then longer right ones, then by id.
 */
function mergesOf({ tokens, scores, types }: SentencePieces): [string, string][] {
  const ids = new Map<string, number>();
  tokens.forEach((token, id) => types[id] === NORMAL && ids.set(token, id));
  const merges: Merge[] = [];
  for (const [token, id] of ids) {
    const characters = [...token];
    const own: Merge[] = [];
    for (let cut = 1; cut < characters.length; cut++) {
      const [left, right] = [characters.slice(0, cut).join(""), characters.slice(cut).join("")];
      if (ids.has(left) && ids.has(right)) own.push({ left, right, score: scores[id] });
    }
    own.sort((a, b) => ids.get(a.left)! - ids.get(b.left)! || ids.get(a.right)! - ids.get(b.right)!);
    merges.push(...own);
  }
  const length = (text: string) => [...text].length;
  return merges
    .sort((a, b) => b.score - a.score || length(b.left) - length(a.left) || length(b.right) - length(a.right))
    .map(({ left, right }) => [left, right]);
}
