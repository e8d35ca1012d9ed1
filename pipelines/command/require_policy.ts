import { Effect } from "effect";
import type { RunConfig } from "../../stages/config/run_config.ts";
import { isGgufPath } from "../../stages/engine/gguf/read_gguf_header.ts";
import { ConfigError } from "../../stages/errors.ts";

/**
 * Fails with ConfigError unless `path`, given for `key`, is a model folder, adapters or a
 * GGUF file, before anything is loaded or written.
 */
export function requirePolicy(
  { policy }: RunConfig,
  key = "policy.path",
  path = policy.path,
): Effect.Effect<void, ConfigError> {
  return Effect.suspend(() => {
    const [file] = isGgufPath(path)
      ? [path]
      : [`${path}/config.json`, `${path}/adapter_config.json`].filter(isFile);
    if (file !== undefined && isFile(file)) return Effect.void;
    const message = isGgufPath(path)
      ? `${path} cannot be read`
      : `no model folder: ${path}/config.json cannot be read`;
    return Effect.fail(new ConfigError({ source: "policy", faults: [{ path: key, message }] }));
  });
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}
