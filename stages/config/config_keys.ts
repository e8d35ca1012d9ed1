import { Schema, type SchemaAST } from "effect";
import { RunConfig } from "./run_config.ts";

/** One key of the configuration, for help texts and suggestions. */
export interface ConfigKey {
  /** `rollout.n`. */
  readonly path: string;
  readonly description: string;
  /** Its default, as JSON holds it. */
  readonly fallback: unknown;
}

/** Every key of a configuration (of a run, unless told otherwise), in the order of its sections. */
export function configKeys(
  schema: Schema.Top & { readonly "DecodingServices": never } = RunConfig,
): readonly ConfigKey[] {
  return keysBelow(schema.ast, Schema.decodeUnknownSync(schema)({}), []);
}

function keysBelow(ast: SchemaAST.AST, defaults: unknown, path: readonly string[]): ConfigKey[] {
  if (ast._tag !== "Objects") return [];
  return ast.propertySignatures.flatMap(({ name, type }) => {
    const below = [...path, String(name)];
    const fallback = (defaults as Record<string, unknown>)[String(name)];
    const description = type.context?.annotations?.description;
    if (typeof description === "string") return [{ path: below.join("."), description, fallback }];
    return keysBelow(type, fallback, below);
  });
}
