import { register } from "../_register.ts";
import { losses, type MakeLoss } from "./losses.ts";

/**
 * Makes a loss of one's own known by `name`, so that `algorithm.loss: name` works in a
 * configuration that is read afterwards; `algorithm.loss_options` reach `make`.
 * ConfigError if the name is taken.
 *
 * @example The plain score-function loss, halved
 * ```ts
 * import { losses } from "./losses.ts";
 * import { registerLoss } from "./register_loss.ts";
 *
 * registerLoss("halved", () => {
 *   const plain = losses.policy_gradient();
 *   return {
 *     ...plain,
 *     perToken: (rows) => {
 *       const { loss, dLogp, metrics } = plain.perToken(rows);
 *       const half = (row: Float64Array) => row.map((v) => v / 2);
 *       return { loss: loss.map(half), dLogp: dLogp.map(half), metrics };
 *     },
 *   };
 * });
 * ```
 */
export function registerLoss(name: string, make: MakeLoss): void {
  register(losses, "loss", name, make);
}
