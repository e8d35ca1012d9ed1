import { assertEquals } from "@std/assert";
import { configurationTable } from "../../docs/configuration_table.ts";
import { documents, tableRows } from "./_markdown.ts";

Deno.test("docs/configuration.md lists every key with its default and meaning", () => {
  const page = new Map(documents()).get("docs/configuration.md")!;
  const write = "run: deno run --allow-read --allow-write docs/configuration_table.ts; deno fmt docs";
  assertEquals(tableRows(page), tableRows(configurationTable()), write);
});
