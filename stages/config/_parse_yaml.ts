import { parseDocument } from "@std/yaml";
import { isSmall } from "./_tree.ts";

/** Most values of a configuration, aliases written out. */
const MOST_VALUES = 20_000;

/** The value of a YAML text, or a string that says what is wrong with it. */
export function parseYaml(text: string): { readonly value: unknown } | string {
  let value: unknown;
  try {
    const document = parseDocument(text);
    // What YAML only warns of, an unknown tag or directive, has no meaning in a configuration either.
    const [fault] = [...document.errors, ...document.warnings];
    if (fault !== undefined) throw fault;
    value = document.toJS();
  } catch (error) {
    // The parser asks for variables when it is loaded; that is no fault of the text.
    if (error instanceof Deno.errors.NotCapable) throw error;
    return `not YAML: ${firstLine(error)}`;
  }
  return isSmall(value, MOST_VALUES)
    ? { value }
    : `its aliases stand for more than ${MOST_VALUES} values, or for themselves`;
}

/** The first line of an error's message; those of YAML name the place and end with a colon before a quote. */
function firstLine(error: unknown): string {
  return String((error as Error).message).split("\n")[0].replace(/:$/, "");
}
