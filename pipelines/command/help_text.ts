import { type ConfigKey, configKeys } from "../../stages/config/config_keys.ts";
import type { Verb } from "./verb.ts";
import { wrap } from "./wrap.ts";

/** What `deno task <verb> --help` prints: usage, every key with its default, exit codes; at most 80 columns. */
export function helpText(verb: Verb): string {
  const keys = verb.keys ?? ownKeys(verb);
  return [
    `deno task ${verb.name} ${verb.usage}`.trimEnd(),
    "",
    ...wrap(verb.summary, 80),
    ...(verb.details ?? []).flatMap((paragraph) => ["", ...wrap(paragraph, 80)]),
    ...(keys.length === 0 ? [] : ["", "Keys and defaults:"]),
    ...keys.flatMap(keyLines),
    "",
    "Exit codes: 0 success, 1 failure, 2 wrong input, 130 Ctrl-C, 143 SIGTERM.",
  ].join("\n");
}

/** Section by section, in the verb's order. */
function ownKeys({ sections, also = [] }: Verb): readonly ConfigKey[] {
  const all = configKeys();
  const below = (section: string) => all.filter(({ path }) => path.startsWith(`${section}.`));
  return [...sections.flatMap(below), ...all.filter(({ path }) => also.includes(path))];
}

function keyLines({ path, description, fallback }: ConfigKey): readonly string[] {
  const text = `${path}=${JSON.stringify(fallback)}`;
  return [`  ${text}`, ...wrap(description, 74).map((line) => `      ${line}`)];
}
