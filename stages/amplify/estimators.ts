import { asymre } from "./asymre.ts";
import type { Estimator } from "./estimator.ts";
import { grpo } from "./grpo.ts";
import { meanCentred } from "./mean_centred.ts";
import { ngrpo } from "./ngrpo.ts";
import { opmd } from "./opmd.ts";
import { raft } from "./raft.ts";
import { reinforce } from "./reinforce.ts";
import { rloo } from "./rloo.ts";

/** The estimators by the names that a configuration uses. */
export const estimators = {
  grpo: { estimate: grpo, learnsFromFlat: false },
  dr_grpo: { estimate: meanCentred, learnsFromFlat: false },
  rloo: { estimate: rloo, learnsFromFlat: false },
  opmd: { estimate: opmd, learnsFromFlat: false },
  reinforce: { estimate: reinforce, learnsFromFlat: true },
  ngrpo: { estimate: ngrpo, learnsFromFlat: true },
  asymre: { estimate: asymre, learnsFromFlat: true },
  raft: { estimate: raft, learnsFromFlat: true },
} as const satisfies Record<string, Estimator>;

/** Name of an estimator. */
export type EstimatorName = keyof typeof estimators;
