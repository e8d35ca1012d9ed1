/**
 * A text that a terminal shows and does not obey: control characters (but line feed and
 * tab) and those that turn the direction of writing are written as `\u{...}`. What a
 * message quotes of a data file may hold any.
 */
export function printable(text: string): string {
  return text.replace(
    /(?![\n\t])[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu,
    (char) => `\\u{${char.charCodeAt(0).toString(16)}}`,
  );
}
