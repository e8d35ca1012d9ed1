import { cleanLatex, isEnclosed, splitOutside } from "./clean_latex.ts";

/** An answer by its form. */
export type Answer =
  | { readonly kind: "list" | "set" | "union"; readonly items: readonly Answer[] }
  /** Also an interval: `open` and `close` are its brackets. */
  | {
    readonly kind: "tuple";
    readonly open: string;
    readonly close: string;
    readonly items: readonly Answer[];
  }
  | { readonly kind: "matrix"; readonly rows: readonly (readonly Answer[])[] }
  | { readonly kind: "relation"; readonly sides: readonly string[]; readonly signs: readonly string[] }
  | { readonly kind: "text"; readonly text: string }
  | Leaf;

/** A single value. */
export interface Leaf {
  readonly kind: "leaf";
  readonly source: string;
  /** What stood behind the value as `\text{…}` or a known word, "" if nothing. */
  readonly unit: string;
  readonly percent: boolean;
}

const word =
  "dollars?|cents?|inch(?:es)?|feet|ft|[ckm]m|miles?|meters?|metres?|hours?|minutes?|seconds?|units?|days?|years?|square [a-z]+";
const unitTail = new RegExp(
  `^(.*?[^\\s\\\\])\\s*(?:\\\\text\\s*\\{([^{}]*)\\}|(?<=[\\d}])\\s*\\b(${word}))\\s*(\\^\\s*\\{?\\s*\\d\\s*\\}?)?$`,
);
const matrix = /^\\begin\{([pbvBV]?matrix|array)\}(?:\{[^{}]*\})?(.*)\\end\{\1\}$/s;
const relationSign = /(?<![<>!:])=|<(?!=)|>(?!=)|\\(?:le|ge|neq?)(?![A-Za-z])|<=|>=/;
const deepest = 8;

/** Reads an answer; never fails: what has no form that is known is a leaf. */
export function parseAnswer(text: string): Answer {
  return parse(cleanLatex(text), 0);
}

function parse(text: string, depth: number): Answer {
  const bare = text.trim();
  if (depth > deepest) return { kind: "text", text: bare };
  const boxed = /^\\boxed\s*\{(.*)\}$/s.exec(bare);
  if (boxed && isEnclosed(`{${boxed[1]}}`)) return parse(boxed[1], depth + 1);
  const words = /^\\text\s*\{([^{}]*)\}$/.exec(bare);
  if (words) return parseWords(words[1]);
  if (/^\d{1,2}:\d{2}(?:\s*\\?text)?/.test(bare)) return { kind: "text", text: bare };
  if (/^[-+]?\s*\d{1,3}(?:,\d{3})+(?![\d,])[^,]*$/.test(bare)) return leaf(bare.replaceAll(",", ""));

  const { parts } = splitOutside(bare, /,/);
  if (parts.length > 1) return many("list", parts, depth);
  const sets = splitOutside(bare, /\\cup(?![A-Za-z])/).parts;
  if (sets.length > 1) return many("union", sets, depth);
  const member = /^(?:\\?[A-Za-z]+(?:_\{?\w+\}?)?)\s*\\in(?![A-Za-z])(.*)$/s.exec(bare);
  if (member) return parse(member[1], depth + 1);
  const grid = matrix.exec(bare);
  if (grid) {
    const rows = grid[2].split(/\\\\(?:\[[^\]]*\])?/).filter((row) => row.trim() !== "");
    return { kind: "matrix", rows: rows.map((row) => row.split("&").map((cell) => parse(cell, depth + 1))) };
  }
  if (bare.startsWith("\\{") && bare.endsWith("\\}") && isEnclosed(bare)) {
    const inner = bare.slice(2, -2).trim();
    return inner === "" ? { kind: "set", items: [] } : many("set", splitOutside(inner, /,/).parts, depth);
  }
  if (/^[([].*[)\]]$/s.test(bare) && isEnclosed(bare)) {
    const inner = splitOutside(bare.slice(1, -1), /,/).parts;
    if (inner.length > 1) {
      const items = inner.map((item) => parse(item, depth + 1));
      return { kind: "tuple", open: bare[0], close: bare.at(-1)!, items };
    }
  }
  const { parts: sides, found } = splitOutside(bare, relationSign);
  if (sides.length > 1 && sides.every((side) => side !== "")) {
    const names: Readonly<Record<string, string>> = {
      "\\le": "<=",
      "\\ge": ">=",
      "\\ne": "!=",
      "\\neq": "!=",
    };
    const signs = found.map((sign) => names[sign] ?? sign);
    if (sides.length === 2 && /\\pm(?![A-Za-z])/.test(sides[1])) {
      return many("list", plusMinus(sides[1]).map((side) => `${sides[0]} ${found[0]} ${side}`), depth);
    }
    return { kind: "relation", sides, signs };
  }
  const signs = plusMinus(bare);
  return signs.length > 1 ? many("list", signs, depth) : leaf(bare);
}

/** Items in a row; an item that is itself a bare list (a ±) gives its items. */
function many(kind: "list" | "set" | "union", parts: readonly string[], depth: number): Answer {
  const items = parts.map((part) => parse(part, depth + 1));
  return { kind, items: items.flatMap((item) => item.kind === "list" ? item.items : [item]) };
}

/** A text with one ± as two texts. */
function plusMinus(text: string): readonly string[] {
  const parts = text.split(/\\pm(?![A-Za-z])/);
  if (parts.length !== 2 || /\\mp/.test(text)) return [text];
  return [parts.join("+"), parts.join("-")];
}

/** Words are text, but `\text{13}` is a number. */
function parseWords(words: string): Answer {
  return /^\s*[-+]?[\d.,]+\s*$/.test(words) ? leaf(words.trim()) : { kind: "text", text: words.trim() };
}

/** What may be a unit; other words behind a value change what is said, as "or 8" does. */
const unitWords = /^(?!.*\b(?:and|or|not|maybe|but)\b)[A-Za-z\/^.%\u00b5\u03a9 -]{0,30}\^?[0-9]?$/;

function leaf(text: string): Leaf {
  const tail = unitTail.exec(text);
  const words = tail === null ? "" : `${tail[2] ?? tail[3]}${tail[4] ?? ""}`.replace(/[{}]/g, "");
  const isUnit = tail !== null && unitWords.test(words.trim());
  const [body, unit] = isUnit ? [tail[1], words.replace(/\s/g, "")] : [text, ""];
  const percent = /%$/.test(body) || /^(?:%|percent)$/.test(unit);
  return {
    kind: "leaf",
    source: body.replace(/\s*%$/, "").trim(),
    unit: percent ? "" : unit,
    percent,
  };
}
