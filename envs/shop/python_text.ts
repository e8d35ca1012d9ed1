/** A number as Python's `str` writes a float: `11.5`, `100.0`, `1e+16`. */
export function pythonFloat(value: number): string {
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e16)) {
    return value.toExponential().replace(/e([+-])(\d)$/, "e$10$2");
  }
  if (Number.isInteger(value)) return `${BigInt(value)}.0`;
  return String(value);
}

/** A mapping of texts as Python's `json.dumps` writes it: ASCII only, `{"color": "red"}`. */
export function pythonJson(entries: Iterable<readonly [string, string]>): string {
  return `{${[...entries].map(([name, value]) => `${quoted(name)}: ${quoted(value)}`).join(", ")}}`;
}

function quoted(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\uffff]/g,
    (unit) => "\\u" + unit.charCodeAt(0).toString(16).padStart(4, "0"),
  );
}

/** A list of texts as Python's `repr` writes it: `['red', "it's"]`. */
export function pythonTexts(texts: readonly string[]): string {
  return `[${texts.map(represented).join(", ")}]`;
}

function represented(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escapes: Readonly<Record<string, string>> = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };
  const body = text.replace(/[\\\n\r\t]/g, (unit) => escapes[unit]).replaceAll(quote, `\\${quote}`);
  return quote + body.replace(
    // deno-lint-ignore no-control-regex
    /[\u0000-\u001f\u007f-\u00a0\u00ad]/g,
    (unit) => "\\x" + unit.charCodeAt(0).toString(16).padStart(2, "0"),
  ) + quote;
}
