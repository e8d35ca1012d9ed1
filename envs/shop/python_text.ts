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
