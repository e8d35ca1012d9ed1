const unicode: Readonly<Record<string, string>> = {
  "−": "-",
  "–": "-",
  "×": "\\times ",
  "÷": "\\div ",
  "·": "\\cdot ",
  "π": "\\pi ",
  "√": "\\sqrt ",
  "∞": "\\infty ",
  "≤": "\\le ",
  "≥": "\\ge ",
  "°": "^\\circ ",
  "∪": "\\cup ",
  "∈": "\\in ",
  "±": "\\pm ",
  "\u00a0": " ",
};

/** Rewritings in their order; each leaves the value as it is. */
const rules: readonly (readonly [RegExp, string])[] = [
  [/[−–×÷·π√∞≤≥°∪∈±\u00a0]/g, ""],
  [/\\\$/g, ""],
  [/\$/g, ""],
  [/\\[()]/g, ""],
  [/\\(?:left|right)\s*\./g, ""],
  [/\\(?:left|right|displaystyle|limits|[bB]igg?[lrm]?)(?![A-Za-z])/g, ""],
  [/\{,\}/g, ","],
  [/,\\!\s*/g, ","],
  [/(?<=\d)\\[,;]\s*(?=\d{3}(?!\d))/g, ""],
  [/\\!/g, ""],
  [/(?<!\\)\\[,;: ]|~|\\q?quad(?![A-Za-z])/g, " "],
  [/\\[dtc]frac(?![A-Za-z])/g, "\\frac"],
  [/\\(?:geqslant|geq)(?![A-Za-z])/g, "\\ge "],
  [/\\(?:leqslant|leq)(?![A-Za-z])/g, "\\le "],
  [/\\gt(?![A-Za-z])/g, ">"],
  [/\\lt(?![A-Za-z])/g, "<"],
  [/\\(?:mbox|mathrm|textrm|textbf|mathbf|textit|mathit|operatorname)\s*\{/g, "\\text{"],
  [/\\l?[vV]ert(?![A-Za-z])|\\r[vV]ert(?![A-Za-z])/g, "|"],
  [/\\ast(?![A-Za-z])/g, "*"],
  [/\\%/g, "%"],
  [/\^\s*(?:\{\s*\\circ\s*\}|\\circ)|\\degree(?![A-Za-z])|\\text\{\s*degrees?\s*\}|(?<=\d)\s*degrees?$/g, ""],
  [/\\text\{\s*(?:and|or)\s*\}|,?\s+(?:and|or)\s+/g, ","],
  [/\\emptyset|\\varnothing/g, "\\{\\}"],
  [/\s+/g, " "],
];

/**
 * One spelling of what LaTeX writes in many: sizes, spaces, protected commas, font
 * commands, signs beyond ASCII. Degree marks and dollar signs go, "and" and "or" become
 * commas, one full stop, comma or semicolon at the end goes.
 */
export function cleanLatex(text: string): string {
  const [letters, ...rest] = rules;
  let out = text.replace(letters[0], (c) => unicode[c]);
  for (const [pattern, replacement] of rest) out = out.replace(pattern, replacement);
  out = out.replace(/\{\d{1,3}(?:,\d{3})+\}/g, (group) => group.replaceAll(",", ""));
  return out.trim().replace(/\s*[.,;]$/, "").trim();
}

/** Parts of a text between separators that stand outside all brackets. */
export function splitOutside(
  text: string,
  separator: RegExp,
): { readonly parts: string[]; readonly found: string[] } {
  const parts: string[] = [];
  const found: string[] = [];
  const sticky = new RegExp(separator.source, "y");
  let depth = 0;
  let start = 0;
  for (let i = 0; i < text.length;) {
    sticky.lastIndex = i;
    const match = depth === 0 ? sticky.exec(text) : null;
    if (match !== null && match[0] !== "") {
      parts.push(text.slice(start, i).trim());
      found.push(match[0].trim());
      start = i += match[0].length;
      continue;
    }
    const token = text[i] === "\\" ? text.slice(i, i + 2) : text[i];
    if (/^(?:[([{]|\\\{)$/.test(token)) depth++;
    if (/^(?:[)\]}]|\\\})$/.test(token)) depth--;
    i += token.length;
  }
  parts.push(text.slice(start).trim());
  return { parts, found };
}

/** True if the bracket that opens a text closes at its very end. */
export function isEnclosed(text: string): boolean {
  let depth = 0;
  for (let i = 0; i < text.length;) {
    const token = text[i] === "\\" ? text.slice(i, i + 2) : text[i];
    if (/^(?:[([{]|\\\{)$/.test(token)) depth++;
    if (/^(?:[)\]}]|\\\})$/.test(token)) depth--;
    i += token.length;
    if (depth <= 0) return i >= text.length && depth === 0;
  }
  return false;
}
