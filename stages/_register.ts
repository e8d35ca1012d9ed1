import { ConfigError } from "./errors.ts";

/** Adds `value` to a registry; ConfigError if the name is no word or is taken. */
export function register<T>(registry: Record<string, T>, kind: string, name: string, value: T): void {
  const fault = !/^[a-z][a-z0-9_]*$/.test(name)
    ? "must be lower-case letters, digits and _, beginning with a letter"
    : Object.hasOwn(registry, name)
    ? `is already a ${kind}`
    : undefined;
  if (fault !== undefined) {
    throw new ConfigError({ source: `register a ${kind}`, faults: [{ path: name, message: fault }] });
  }
  registry[name] = value;
}
