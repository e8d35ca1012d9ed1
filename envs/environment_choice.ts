import type { ScienceWorldConfig } from "../stages/config/scienceworld_config.ts";
import type { RemoteConfig } from "../stages/config/remote_config.ts";
import type { MathAnswerName } from "./math/formats.ts";
import type { CallAdapterName } from "./function_call/adapters.ts";
import type { SplitFiles } from "./rows/row_tasks.ts";
import type { ShopChoice } from "./shop/shop_layer.ts";

/** What a configuration says about an environment; each takes what concerns it. */
export interface EnvironmentChoice {
  /** Difficulty of generated tasks. */
  readonly level: number;
  /** Turn limit, for questions the number of attempts; null is the environment's own. */
  readonly maxTurns: number | null;
  /** Relative frequencies of the task types; null is the environment's own. */
  readonly kinds: Readonly<Record<string, number>> | null;
  /** Deadline of one operation in milliseconds. */
  readonly timeoutMs: number;
  /** Data files by split. */
  readonly files: SplitFiles;
  /** Largest share of their rows that may be left out as malformed. */
  readonly badRows: number;
  /** How answers to mathematical questions are written. */
  readonly mathAnswer: MathAnswerName;
  /** Wire format of function calls. */
  readonly callFormat: CallAdapterName;
  /** The household's own settings. */
  readonly household: HouseholdChoice;
  /** The server of an environment that runs elsewhere. */
  readonly remote: RemoteConfig;
  /** The shop's catalogue and pages. */
  readonly shop: ShopChoice;
  /** ScienceWorld's simulator. */
  readonly scienceworld: ScienceWorldConfig;
}

/** Which games the household plays, and how it speaks. */
export interface HouseholdChoice {
  readonly source: "generated" | "alfworld";
  readonly prompt: "plain" | "r3l" | "r3l_released";
  /** ALFWorld's games: folder or zip file; null = not known. */
  readonly alfworld: string | null;
}
