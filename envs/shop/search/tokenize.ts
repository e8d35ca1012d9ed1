/**
 * Words of a text as Lucene's StandardTokenizer finds them: Unicode's default word
 * boundaries (UAX 29), of which only pieces with a letter or a digit and emoji are words.
 * Ideographs and hiragana are words of one character; longer words than 255
 * characters are cut.
 */
export function tokenize(text: string): string[] {
  const words: string[] = [];
  for (const [word] of text.matchAll(WORD)) {
    for (let at = 0; at < word.length; at += LONGEST) words.push(word.slice(at, at + LONGEST));
  }
  return words;
}

const LONGEST = 255;

/** Characters that stick to the one before them. */
const EXTEND = "[\\p{M}\\p{Cf}]*";
const SINGLE = "\\p{Script=Han}\\p{Script=Hiragana}";
const KATAKANA = "\\p{Script=Katakana}\\u3031-\\u3035\\u309B\\u309C\\u30A0\\u30FC\\uFF70";
/** Scripts without spaces: a whole run is one word. */
const ASIAN = "\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}";
const LETTER = `(?:(?![${SINGLE}${KATAKANA}${ASIAN}])[\\p{L}\\p{Nl}\\u02C2-\\u02DF])${EXTEND}`;
const DIGIT = `[\\p{Nd}\\u066B]${EXTEND}`;
const JOINER = `[_\\u203F\\u2040\\u2054\\uFE33\\uFE34\\uFE4D-\\uFE4F\\uFF3F]${EXTEND}`;
const MID_BOTH = "'.\\u2018\\u2019\\u2024\\uFE52\\uFF07\\uFF0E";
/** Between letters. */
const MID_LETTER = `[${MID_BOTH}:\\u00B7\\u0387\\u055F\\u05F4\\u2027\\uFE13\\uFE55\\uFF1A]${EXTEND}`;
/** Between digits. */
const MID_DIGIT =
  `[${MID_BOTH},;\\u037E\\u0589\\u060C\\u060D\\u066C\\u07F8\\u2044\\uFE10\\uFE14\\uFE50\\uFE54\\uFF0C\\uFF1B]${EXTEND}`;

const LETTERS = `(?:${LETTER})+(?:${MID_LETTER}(?:${LETTER})+)*`;
const DIGITS = `(?:${DIGIT})+(?:${MID_DIGIT}(?:${DIGIT})+)*`;
const RUN = `(?:(?:${LETTERS}|${DIGITS})+|(?:[${KATAKANA}]${EXTEND})+)`;
const EMOJI =
  "\\p{Extended_Pictographic}(?:[\\p{M}\\p{Cf}\\u{1F3FB}-\\u{1F3FF}]|(?<=\\u200D)\\p{Extended_Pictographic})*";
const WORD = new RegExp(
  `(?:${JOINER})*${RUN}(?:(?:${JOINER})+${RUN})*(?:${JOINER})*|[${SINGLE}]${EXTEND}|(?:[${ASIAN}]${EXTEND})+|${EMOJI}`,
  "gu",
);
