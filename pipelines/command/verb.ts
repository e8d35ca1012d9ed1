import type { ConfigKey } from "../../stages/config/config_keys.ts";
import { RunConfig } from "../../stages/config/run_config.ts";

/** What `--help` says about a verb. */
export interface Verb {
  readonly name: string;
  /** One sentence. */
  readonly summary: string;
  /** What follows `deno task <name>`. */
  readonly usage: string;
  /** More paragraphs, each already wrapped to 80 columns. */
  readonly details?: readonly string[];
  /** Sections of the configuration that it reads, listed key by key. */
  readonly sections: readonly string[];
  /** Keys that it reads of other sections. */
  readonly also?: readonly string[];
  /** Keys that it reads instead of a run's. */
  readonly keys?: readonly ConfigKey[];
}

/** Every section of a configuration. */
export const allSections: readonly string[] = Object.keys(RunConfig.fields);
