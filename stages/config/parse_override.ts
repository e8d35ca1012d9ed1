import { parseYaml } from "./_parse_yaml.ts";

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
  const given = text.slice(equals + 1).trim();
  const parsed = parseYaml(given);
  if (typeof parsed === "string") return `the value is ${parsed}`;
  if (given.startsWith("#")) return "the value is a comment of YAML; quote it";
  return { path, value: parsed.value ?? null };
}
