/** One `\boxed` or `\fbox` with what is in it. */
export interface Box {
  readonly start: number;
  /** Just behind the closing brace. */
  readonly end: number;
  readonly content: string;
}

/** Longest content of a box, in characters. */
const longest = 4096;
/** Most boxes looked at, from the end. */
const most = 16;

/**
 * The last boxes of a text in order; null in place of one that never closes. Braces
 * are counted, `\{` and `\}` are literals; without a brace the box holds the next
 * token. Boxes inside a box are not listed.
 */
export function boxes(text: string): readonly (Box | null)[] {
  const starts: number[] = [];
  let boxed = text.lastIndexOf("\\boxed");
  let fbox = text.lastIndexOf("\\fbox");
  while (Math.max(boxed, fbox) >= 0 && starts.length < most) {
    starts.push(Math.max(boxed, fbox));
    if (boxed > fbox) boxed = boxed === 0 ? -1 : text.lastIndexOf("\\boxed", boxed - 1);
    else fbox = fbox === 0 ? -1 : text.lastIndexOf("\\fbox", fbox - 1);
  }
  const found: (Box | null)[] = [];
  for (const start of starts.reverse()) {
    const last = found.at(-1);
    if (last && start < last.end) continue;
    found.push(boxAt(text, start));
  }
  return found;
}

function boxAt(text: string, start: number): Box | null {
  let at = start + (text.startsWith("\\boxed", start) ? "\\boxed".length : "\\fbox".length);
  while (text[at] === " ") at++;
  if (text[at] !== "{") {
    const token = /^(\\[A-Za-z]+|[-+]?\d+(\.\d+)?|\S)/.exec(text.slice(at, at + 64))?.[0];
    return token === undefined ? null : { start, end: at + token.length, content: token };
  }
  let depth = 0;
  const stop = Math.min(text.length, at + longest);
  for (let i = at; i < stop; i++) {
    const c = text[i];
    if (c === "\\") i++;
    else if (c === "{") depth++;
    else if (c === "}" && --depth === 0) return { start, end: i + 1, content: text.slice(at + 1, i) };
  }
  return null;
}
