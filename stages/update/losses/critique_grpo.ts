import type { Loss, LossOptions, TokenLoss } from "../loss.ts";
import { advantageAt, mapTokens } from "./_map_tokens.ts";
import { ppo } from "./ppo.ts";

/**
 * On-policy rows: PPO. Off-policy rows (refinements): L = −A·π/(π + γ), which
 * lifts unlikely tokens and needs no behaviour log-probability (Critique-GRPO,
 * arXiv 2506.03106).
 */
export function critiqueGrpo(options: LossOptions = {}): Loss {
  const gamma = options.gamma ?? 0.1;
  const onPolicy = ppo(options);
  return {
    needsLogprobs: true,
    readsOffPolicy: true,
    aggregation: "token-mean",
    perToken: (rows): TokenLoss => {
      const on = onPolicy.perToken(rows);
      const off = mapTokens(rows, (i, t) => {
        const p = Math.exp(rows.logp[i][t]);
        const a = advantageAt(rows, i, t);
        return [-a * p / (p + gamma), -a * gamma * p / (p + gamma) ** 2];
      });
      const isOff = rows.offPolicy ?? [];
      return {
        loss: on.loss.map((row, i) => isOff[i] ? off.loss[i] : row),
        dLogp: on.dLogp.map((row, i) => isOff[i] ? off.dLogp[i] : row),
        metrics: on.metrics,
      };
    },
  };
}
