import { Schema } from "effect";
import type { EnvironmentChoice } from "../../envs/environment_choice.ts";
import { RemoteConfig } from "../../stages/config/remote_config.ts";
import { ScienceWorldConfig } from "../../stages/config/scienceworld_config.ts";

/** A choice with these settings and defaults for the rest. */
export function choiceOf(choice: Partial<EnvironmentChoice> = {}): EnvironmentChoice {
  return {
    level: 1,
    maxTurns: null,
    kinds: null,
    timeoutMs: 10_000,
    files: { train: null, valid: null, test: null },
    badRows: 0,
    mathAnswer: "boxed",
    callFormat: "json",
    household: { source: "generated", prompt: "plain", alfworld: null },
    remote: Schema.decodeUnknownSync(RemoteConfig)({}),
    shop: {
      products: null,
      attributes: null,
      instructions: null,
      nouns: null,
      limit: null,
      pages: "text_rich",
      rules: "webshop",
    },
    scienceworld: Schema.decodeUnknownSync(ScienceWorldConfig)({}),
    ...choice,
  };
}
