/** The documents for people: README.md and docs/*.md, by path from the root. */
export function documents(): readonly (readonly [path: string, text: string])[] {
  const root = new URL("../../", import.meta.url);
  const pages = [...Deno.readDirSync(new URL("docs", root))].map(({ name }) => `docs/${name}`);
  return ["README.md", ...pages.filter((path) => path.endsWith(".md")).sort()]
    .map((path) => [path, Deno.readTextFileSync(new URL(path, root))] as const);
}

/** Cells of every table row, without their padding. */
export function tableRows(text: string): readonly (readonly string[])[] {
  return text.split("\n").filter((line) => line.startsWith("|") && !/^\|[\s|:-]+$/.test(line))
    .map((line) => line.split(/(?<!\\)\|/).slice(1, -1).map((cell) => cell.trim()));
}
