import type { Json } from "../env.ts";

/** One record of a data file. */
export type Row = Readonly<Record<string, Json>>;

/** What is wrong with a row; the reader adds file and row. */
export class RowFault extends Error {
  constructor(readonly field: string, reason: string) {
    super(`field ${field}: ${reason}`);
  }
}

/** A text that is not empty. @throws RowFault */
export function text(row: Row, field: string): string {
  const value = row[field];
  if (typeof value === "string" && value.trim() !== "") return value;
  throw new RowFault(field, `expected a text, got ${shown(value)}`);
}

/** A list of texts. @throws RowFault */
export function texts(row: Row, field: string): readonly string[] {
  const value = row[field];
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value;
  throw new RowFault(field, `expected a list of texts, got ${shown(value)}`);
}

/** A whole number. @throws RowFault */
export function whole(row: Row, field: string): number {
  const value = row[field];
  if (typeof value === "number" && Number.isSafeInteger(value)) return value;
  throw new RowFault(field, `expected a whole number, got ${shown(value)}`);
}

/** A JSON value, cut short, for messages. */
export function shown(value: unknown): string {
  const json = JSON.stringify(value) ?? "nothing";
  return json.length > 60 ? `${json.slice(0, 57)}...` : json;
}
