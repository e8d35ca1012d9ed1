import type { Json } from "../env.ts";
import { type Row, RowFault, shown, text } from "../rows/row.ts";
import { type GoldJson, readGold } from "./gold_json.ts";
import { JsonFault, type StrictJson, strictJson } from "./strict_json.ts";

/** A request with its tools and gold calls. */
export interface CallRow {
  readonly id: string;
  readonly query: string;
  /** The tools' declarations as JSON. */
  readonly tools: string;
  readonly gold: GoldJson;
  /** `xlam`, or the id of a BFCL row without its numbers, e.g. `simple_python`. */
  readonly kind: string;
}

/**
 * Reads a row of APIGen/xLAM (`query`, and `tools` and `answers` as JSON texts) or of BFCL
 * (`question`, `function`, with `ground_truth` from its answer file; `[]` where nothing
 * is to be called).
 *
 * @throws RowFault, also where the gold calls do not pass the parser that replies must pass.
 */
export function callRow(row: Row, index: number, groundTruth?: Json): CallRow {
  return row.function === undefined ? xlamRow(row, index) : bfclRow(row, index, groundTruth);
}

function xlamRow(row: Row, index: number): CallRow {
  const tools = text(row, "tools");
  const declared = strictJson(tools);
  if (declared instanceof JsonFault) throw new RowFault("tools", `${declared.reason} at ${declared.at}`);
  const gold = { calls: text(row, "answers"), isAccepted: false, defaults: defaultsOf(declared) };
  check(gold, "answers");
  return { id: String(row.id ?? index), query: text(row, "query"), tools, gold, kind: "xlam" };
}

function bfclRow(row: Row, index: number, groundTruth: Json | undefined): CallRow {
  const truth = groundTruth ?? row.ground_truth;
  if (!Array.isArray(truth)) throw new RowFault("ground_truth", `expected a list, got ${shown(truth)}`);
  const gold = { calls: JSON.stringify(truth), isAccepted: true, defaults: "" };
  check(gold, "ground_truth");
  const messages = [row.question].flat(2) as readonly (Row | null)[];
  const parts = messages.map((message) => message?.content);
  if (parts.length === 0 || !parts.every((part) => typeof part === "string")) {
    throw new RowFault("question", `expected messages, got ${shown(row.question)}`);
  }
  const id = String(row.id ?? index);
  return {
    id,
    query: parts.join("\n"),
    tools: JSON.stringify(row.function),
    gold,
    kind: id.replace(/[_-]?\d[\d-]*$/, "") || "bfcl",
  };
}

function check(gold: GoldJson, field: string): void {
  const read = readGold(gold);
  if (typeof read === "string") throw new RowFault(field, read);
}

/** Defaults of the declared parameters as JSON; declarations of another form give none. */
function defaultsOf(tools: StrictJson): string {
  const table: Record<string, Record<string, Json>> = {};
  for (const tool of Array.isArray(tools) ? tools : []) {
    const name = tool instanceof Map ? tool.get("name") : undefined;
    const parameters = tool instanceof Map ? tool.get("parameters") : undefined;
    if (typeof name !== "string" || !(parameters instanceof Map)) continue;
    for (const [parameter, about] of parameters) {
      const value = about instanceof Map ? about.get("default") : undefined;
      if (["string", "number", "boolean"].includes(typeof value)) {
        (table[name] ??= {})[parameter] = value as Json;
      }
    }
  }
  return Object.keys(table).length === 0 ? "" : JSON.stringify(table);
}
