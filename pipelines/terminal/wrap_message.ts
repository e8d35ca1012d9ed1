import { wrap } from "../command/wrap.ts";

/** What a continued line is moved in by, below the line that it continues. */
const HANG = 2;

/**
 * Breaks the lines of a message at spaces so that none is longer than `width`;
 * continued lines are moved in below their first one. A word that is longer keeps a
 * line of its own, so that a path can be copied.
 */
export function wrapMessage(message: string, width: number): string {
  return message.split("\n").flatMap((line) => {
    if (line.length <= width) return [line];
    const [, indent, text] = /^(\s*)(.*)$/s.exec(line)!;
    const hang = indent + " ".repeat(HANG);
    // The first line has more room; its first word is not counted twice.
    const [first, ...rest] = wrap(text, width - indent.length);
    return [indent + first, ...wrap(rest.join(" "), width - hang.length).map((part) => hang + part)];
  }).join("\n");
}
