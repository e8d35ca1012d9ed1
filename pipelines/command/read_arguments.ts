import { parseArgs } from "@std/cli/parse-args";
import { Result } from "effect";
import { ConfigError } from "../../stages/errors.ts";

/** What a command line says. */
export interface Arguments {
  readonly help: boolean;
  /** The first argument without `=` (or with `/` before it): a configuration file, or what the verb reads. */
  readonly file: string | undefined;
  /** `section.key=value`, in order. */
  readonly overrides: readonly string[];
}

/** Reads `[file] [section.key=value ...]`; anything else is a fault. */
export function readArguments(args: readonly string[]): Result.Result<Arguments, ConfigError> {
  const { _: positional, help, h, ...unknown } = parseArgs(args, { boolean: ["help"], alias: { h: "help" } });
  const files = positional.map(String).filter((text) => !isOverride(text));
  const faults = [
    ...Object.keys(unknown).map((name) => ({
      path: `${name.length === 1 ? "-" : "--"}${name}`,
      message: "no such option; settings are written section.key=value",
    })),
    ...files.slice(1).map((path) => ({ path, message: `unexpected after ${files[0]}` })),
  ];
  if (faults.length > 0) return Result.fail(new ConfigError({ source: "command line", faults }));
  return Result.succeed({
    help: help === true || h === true,
    file: files[0],
    overrides: positional.map(String).filter(isOverride),
  });
}

/** A path may hold `=` after a slash: `runs/lr=0.1`, `./lr=0.1.yaml`. */
function isOverride(text: string): boolean {
  return /^[^/\\=]*=/.test(text);
}
