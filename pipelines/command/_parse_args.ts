/**
 * The part of JSR's `@std/cli/parse-args` that the commands use, over Node's
 * `util.parseArgs`. `deno.json` maps the bare name here; mapping it to
 * `jsr:@std/cli/parse-args` instead changes nothing.
 *
 * @module
 */
import { parseArgs as nodeParseArgs } from "node:util";

/** What to read: names of flags, names of strings, single-letter aliases. */
export interface ParseOptions {
  readonly boolean?: readonly string[];
  readonly string?: readonly string[];
  readonly alias?: Readonly<Record<string, string>>;
}

/** Positional arguments under `_`, flags and strings under their names. */
export type Args = { _: string[] } & Record<string, string | boolean | string[] | undefined>;

/** Parses `args`; unknown options are kept as flags, as in `@std/cli`. */
export function parseArgs(args: readonly string[], options: ParseOptions = {}): Args {
  const spec: Record<string, { type: "boolean" | "string"; short?: string }> = {};
  const shortOf = (name: string) =>
    Object.entries(options.alias ?? {}).find(([short, long]) => long === name && short.length === 1)?.[0];
  for (const [names, type] of [[options.boolean, "boolean"], [options.string, "string"]] as const) {
    for (const name of names ?? []) {
      const short = shortOf(name);
      spec[name] = short === undefined ? { type } : { type, short };
    }
  }
  const parsed = nodeParseArgs({ args: [...args], options: spec, strict: false, allowPositionals: true });
  return { ...parsed.values, _: parsed.positionals } as Args;
}
