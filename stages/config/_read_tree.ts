import { isTree, type Tree } from "./_tree.ts";
import { parseYaml } from "./_parse_yaml.ts";

/** Longest YAML text that is read, in characters. */
const LONGEST = 1 << 20;

/** The mapping in `yaml`, or what is wrong with it. */
export function readTree(yaml: string): Tree | string {
  if (yaml.length > LONGEST) return `longer than ${LONGEST} characters: this is no configuration`;
  const parsed = parseYaml(yaml);
  if (typeof parsed === "string") return parsed;
  const { value } = parsed;
  if (value === null || value === undefined) return {};
  return isTree(value)
    ? value
    : `expected sections (task, policy, ...), got ${JSON.stringify(value).slice(0, 60)}`;
}
