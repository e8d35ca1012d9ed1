/**
 * Writes the tables of docs/configuration.md from the configuration's schema:
 * `deno run --allow-read --allow-write docs/configuration_table.ts && deno fmt docs/configuration.md`.
 *
 * @module
 */
import { configKeys } from "../stages/config/config_keys.ts";

const BEGIN = "<!-- tables: begin -->";
const END = "<!-- tables: end -->";

/** One table a section: key, default, meaning. */
export function configurationTable(): string {
  const sections = Map.groupBy(configKeys(), ({ path }) => path.split(".")[0]);
  return [...sections].map(([section, keys]) =>
    [
      `## ${section}`,
      "",
      "| key | default | meaning |",
      "| --- | --- | --- |",
      ...keys.map(({ path, fallback, description }) =>
        `| \`${path}\` | \`${JSON.stringify(fallback)}\` | ${description.replaceAll("|", "\\|")} |`
      ),
    ].join("\n")
  ).join("\n\n");
}

/** The document with its tables replaced. Throws RangeError if it has no place for them. */
export function withConfigurationTable(document: string): string {
  const from = document.indexOf(BEGIN);
  const to = document.indexOf(END);
  if (from < 0 || to < from) throw new RangeError(`Cannot write the tables: no ${BEGIN} ... ${END}`);
  return `${document.slice(0, from)}${BEGIN}\n\n${configurationTable()}\n\n${document.slice(to)}`;
}

if (import.meta.main) {
  const path = new URL("configuration.md", import.meta.url);
  Deno.writeTextFileSync(path, withConfigurationTable(Deno.readTextFileSync(path)));
}
