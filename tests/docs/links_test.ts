import { assert, assertEquals } from "@std/assert";
import { documents, tableRows } from "./_markdown.ts";

const root = new URL("../../", import.meta.url);

Deno.test("links between files lead somewhere", () => {
  const broken = documents().flatMap(([path, text]) =>
    [...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target]) => {
      if (/^https?:/.test(target)) return [];
      const [file, anchor] = target.split("#");
      const url = file === "" ? new URL(path, root) : new URL(file, new URL(path, root));
      return isThere(url, anchor) ? [] : [`${path}: ${target}`];
    })
  );
  assertEquals(broken, []);
});

Deno.test("every test that docs/faults.md names is where it says", () => {
  const page = new Map(documents()).get("docs/faults.md")!;
  const rows = tableRows(page).slice(1);
  assertEquals(rows.map(([number]) => Number(number)), Array.from({ length: 57 }, (_, i) => i + 1));
  for (const [number, , , cell] of rows) {
    for (const [, file, name] of cell.matchAll(/\]\(\.\.\/(tests\/[^)]+)\): (.+?)(?=; \[|\. [A-Z]|$)/g)) {
      assert(Deno.readTextFileSync(new URL(file, root)).includes(name), `${number}: no "${name}" in ${file}`);
    }
  }
});

/** A file or folder, and the heading in it that the anchor means. */
function isThere(url: URL, anchor: string | undefined): boolean {
  try {
    if (anchor === undefined) return Deno.statSync(url) !== undefined;
    const headings = [...Deno.readTextFileSync(url).matchAll(/^#+ (.+)$/gm)];
    return headings.some(([, text]) =>
      text.toLowerCase().replace(/[^\w\s-]/g, "").replaceAll(" ", "-") === anchor
    );
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
