/** Widest table, in characters. */
const WIDTH = 80;
/** Columns but the first are cut down to this before the first is cut. */
const VALUE = 16;

/**
 * A table of at most 80 columns: the first row is the header, the first column
 * is aligned left, the others right. Cells that do not fit end in `...`.
 */
export function table(rows: readonly (readonly string[])[]): string {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from(
    { length: columns },
    (_, c) => Math.max(...rows.map((row) => [...(row[c] ?? "")].length)),
  );
  const total = () => widths.reduce((sum, width) => sum + width, 0) + 2 * (columns - 1);
  while (total() > WIDTH) {
    // The first column tells what a row is: it is cut last.
    const values = Math.max(0, ...widths.slice(1));
    const widest = values > VALUE ? widths.indexOf(values, 1) : widths.indexOf(Math.max(...widths));
    const least = values > VALUE ? VALUE : 4;
    if (widths[widest] <= least) break;
    widths[widest] = Math.max(least, widths[widest] - (total() - WIDTH));
  }
  const line = (row: readonly string[]) =>
    widths.map((width, c) => fit(row[c] ?? "", width, c > 0)).join("  ").trimEnd();
  const [header, ...body] = rows;
  if (header === undefined) return "";
  return [line(header), widths.map((width) => "-".repeat(width)).join("  "), ...body.map(line)].join("\n");
}

function fit(text: string, width: number, right: boolean): string {
  const letters = [...text];
  if (letters.length > width) return letters.slice(0, width - 3).join("") + "...";
  const space = " ".repeat(width - letters.length);
  return right ? space + text : text + space;
}
