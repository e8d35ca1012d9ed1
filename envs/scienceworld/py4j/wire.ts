/**
 * The text protocol of Py4J, as far as calls need it: a request is lines, the last
 * of them `e`; an answer is one line.
 *
 * @module
 */

/** An object on the Java side. */
export interface JavaReference {
  readonly id: string;
}

/** What a Java method returned. */
export type JavaValue = null | boolean | number | bigint | string | JavaReference;

/** What a Java method may be given; a whole number becomes an int, or a long where it does not fit. */
export type JavaArgument = null | boolean | number | bigint | string | JavaReference;

/** A fault of the Java side: a message, or an exception that is kept there under `exception`. */
export class JavaFault extends Error {
  constructor(message: string, readonly exception?: string) {
    super(message);
  }
}

/** A call of `method` on `target`: an object's id, or `z:` and a class name for a static method. */
export function callRequest(target: string, method: string, args: readonly JavaArgument[]): string {
  return `c\n${target}\n${method}\n${args.map((arg) => encodeArgument(arg) + "\n").join("")}e\n`;
}

/** A call of a class's constructor without arguments. */
export function constructRequest(className: string): string {
  return `i\n${className}\ne\n`;
}

/** Forgets an object on the Java side. */
export function releaseRequest({ id }: JavaReference): string {
  return `m\nd\n${id}\ne\n`;
}

/** Asks for the stack trace of an exception. */
export function traceRequest(exception: string): string {
  return `p\nr${exception}\ne\n`;
}

/** One argument as its line: a letter for its type, then its text. */
export function encodeArgument(value: JavaArgument): string {
  if (value === null) return "n";
  if (typeof value === "boolean") return `b${value}`;
  if (typeof value === "bigint") return `L${value}`;
  if (typeof value === "string") return `s${escapeLine(value)}`;
  if (typeof value === "object") return `r${value.id}`;
  if (!Number.isInteger(value)) return `d${value}`;
  return `${value >= -(2 ** 31) && value < 2 ** 31 ? "i" : "L"}${value}`;
}

/** Puts a text into one line. */
export function escapeLine(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\r", "\\r").replaceAll("\n", "\\n");
}

/** The text of a line. */
export function unescapeLine(line: string): string {
  return line.replace(/\\(.)/gs, (_, c) => (c === "n" ? "\n" : c === "r" ? "\r" : c));
}

/**
 * The value of an answer line.
 *
 * @throws JavaFault for an answer that reports one, or that is none of the protocol.
 */
export function decodeAnswer(line: string): JavaValue {
  if (line.startsWith("!y")) return decodeValue(line[2], line.slice(3), line);
  if (!line.startsWith("!x")) throw malformed(line);
  if (line[2] === "r") throw new JavaFault("a Java exception", line.slice(3));
  throw new JavaFault(line[2] === "s" ? unescapeLine(line.slice(3)) : "an unnamed fault");
}

function decodeValue(type: string | undefined, text: string, line: string): JavaValue {
  switch (type) {
    case "n":
    case "v":
      return null;
    case "b":
      return text.toLowerCase() === "true";
    case "i":
    case "d":
      return Number(text);
    case "L":
      if (!/^-?\d+$/.test(text)) throw malformed(line);
      return BigInt(text);
    case "s":
      return unescapeLine(text);
    case "r":
    case "l":
    case "a":
    case "h":
    case "t":
    case "g":
      return { id: text };
    default:
      throw malformed(line);
  }
}

function malformed(line: string): JavaFault {
  return new JavaFault(`an answer that is none of Py4J: ${JSON.stringify(line.slice(0, 60))}`);
}
