import type { Layer } from "effect";
import type { EnvironmentName } from "../stages/config/environment_names.ts";
import type { FileError } from "../stages/errors.ts";
import { countdown } from "./countdown/countdown.ts";
import type { Environment } from "./env.ts";
import type { EnvironmentChoice } from "./environment_choice.ts";
import { functionCall } from "./function_call/function_call.ts";
import { householdLayer } from "./household/household_layer.ts";
import { lab } from "./lab/lab_layer.ts";
import { math } from "./math/math.ts";
import { multipleChoice } from "./multiple_choice/multiple_choice.ts";
import { remote } from "./remote/remote.ts";
import { scienceWorldLayer } from "./scienceworld/scienceworld_layer.ts";
import { shopLayer } from "./shop/shop_layer.ts";

/**
 * Environments by name. A choice that an environment cannot serve fails its tasks with
 * an `EnvError`; data files that cannot be read or are malformed are a `FileError`.
 */
export const environments: Readonly<
  Record<EnvironmentName, (choice: EnvironmentChoice) => Layer.Layer<Environment, FileError>>
> = {
  household: householdLayer,
  lab,
  countdown,
  math,
  function_call: functionCall,
  multiple_choice: multipleChoice,
  remote,
  shop: shopLayer,
  scienceworld: scienceWorldLayer,
};
