import { Result, Schema, SchemaIssue } from "effect";
import { leafPaths, type Tree, valueAt } from "./_tree.ts";
import type { ConfigFault } from "./consistency_faults.ts";
import { suggestKey } from "./suggest_key.ts";

/** A place in a tree that its schema does not accept, and why. */
export interface DecodingFault {
  readonly path: readonly string[];
  readonly message: string;
}

const formatIssue = SchemaIssue.makeFormatterStandardSchemaV1();

/** What `schema` does not accept in `tree`, unknown keys included; one fault a path. */
export function decodingFaults(
  schema: Schema.Top & { readonly "DecodingServices": never },
  tree: Tree,
): readonly DecodingFault[] {
  const decoded = Schema.decodeUnknownResult(schema, { errors: "all", onExcessProperty: "error" })(tree);
  if (Result.isSuccess(decoded)) return [];
  const first = new Map<string, DecodingFault>();
  for (const issue of formatIssue(decoded.failure.issue).issues) {
    const path = (issue.path ?? []).map(String);
    const name = path.join(".");
    if (!first.has(name)) first.set(name, { path, message: issue.message });
  }
  return [...first.values()];
}

/** A fault in words: unknown keys leaf by leaf with the nearest of `known`, values with what was got. */
export function explainFault(
  tree: Tree,
  { path, message }: DecodingFault,
  known: readonly string[],
): readonly ConfigFault[] {
  const value = valueAt(tree, path);
  if (message === "Expected no excess property") {
    return leafPaths(value, path).map((leaf) => ({
      path: leaf.join("."),
      message: suggestKey(leaf.join("."), known),
    }));
  }
  const got = typeof value === "number" ? String(value) : JSON.stringify(value) ?? "nothing";
  return [{
    path: path.join("."),
    message: `${message[0].toLowerCase()}${message.slice(1)}, got ${
      got.length > 60 ? got.slice(0, 57) + "..." : got
    }`,
  }];
}
