import { parse } from "@std/yaml";

/** One `section.key=value` of the command line. */
export interface Override {
  readonly path: readonly string[];
  readonly value: unknown;
}

/** Reads `rollout.n=4`; the value is YAML, so `4` is a number and `[1, 0.4]` a list. A string says what is wrong. */
export function parseOverride(text: string): Override | string {
  const equals = text.indexOf("=");
  if (equals < 1) return "expected section.key=value";
  const path = text.slice(0, equals).trim().split(".");
  if (path.some((name) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))) {
    return "expected section.key=value, with names of letters, digits and _";
  }
  try {
    return { path, value: parse(text.slice(equals + 1)) ?? null };
  } catch (error) {
    return `the value is not YAML: ${firstLine(error)}`;
  }
}

/** The first line of an error's message; those of YAML name the place and end with a colon before a quote. */
export function firstLine(error: unknown): string {
  return String((error as Error).message).split("\n")[0].replace(/:$/, "");
}
