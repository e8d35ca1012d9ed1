import { asymre } from "./asymre.ts";
import { bestWorst } from "./best_worst.ts";
import type { Estimator } from "./estimator.ts";
import { grpo } from "./grpo.ts";
import { meanCentred } from "./mean_centred.ts";
import { ngrpo } from "./ngrpo.ts";
import { opmd } from "./opmd.ts";
import { raft } from "./raft.ts";
import { reinforce } from "./reinforce.ts";
import { rloo } from "./rloo.ts";
import { whiten } from "./whiten.ts";

const builtIn = {
  grpo: { estimate: grpo, learnsFromFlat: false },
  dr_grpo: { estimate: meanCentred, learnsFromFlat: false },
  rloo: { estimate: rloo, learnsFromFlat: false },
  reinforce_pp: { estimate: reinforce, learnsFromFlat: true, batch: whiten },
  opmd: { estimate: opmd, learnsFromFlat: false },
  reinforce: { estimate: reinforce, learnsFromFlat: true },
  ngrpo: { estimate: ngrpo, learnsFromFlat: true },
  asymre: { estimate: asymre, learnsFromFlat: true },
  raft: { estimate: raft, learnsFromFlat: true },
  best_worst: { estimate: bestWorst, learnsFromFlat: false },
} as const satisfies Record<string, Estimator>;

/** Name of an estimator; `registerEstimator` adds names. */
export type EstimatorName = keyof typeof builtIn | (string & Record<never, never>);

/** The estimators by the names that a configuration uses. */
export const estimators: Record<EstimatorName, Estimator> = { ...builtIn };
