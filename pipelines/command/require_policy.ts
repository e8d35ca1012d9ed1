import { Effect } from "effect";
import type { RunConfig } from "../../stages/config/run_config.ts";
import { ConfigError } from "../../stages/errors.ts";

/** Fails with ConfigError unless `policy.path` is a model folder, before anything is loaded or written. */
export function requirePolicy({ policy: { path } }: RunConfig): Effect.Effect<void, ConfigError> {
  return Effect.suspend(() => {
    try {
      if (Deno.statSync(`${path}/config.json`).isFile) return Effect.void;
    } catch {
      // Told below, whatever the reason.
    }
    const message = `no model folder: ${path}/config.json cannot be read`;
    return Effect.fail(new ConfigError({ source: "policy", faults: [{ path: "policy.path", message }] }));
  });
}
