import { register } from "../stages/_register.ts";
import { bapo } from "./bapo.ts";
import { cispo } from "./cispo.ts";
import { critiqueGrpo } from "./critique_grpo.ts";
import { dapo } from "./dapo.ts";
import { dpo } from "./dpo.ts";
import { drGrpo } from "./dr_grpo.ts";
import { gigpo } from "./gigpo.ts";
import { grpo } from "./grpo.ts";
import { gspo } from "./gspo.ts";
import { ngrpo } from "./ngrpo.ts";
import { opd } from "./opd.ts";
import { opmd } from "./opmd.ts";
import type { Pipeline } from "./pipeline.ts";
import { r3l } from "./r3l.ts";
import { raft } from "./raft.ts";
import { reflectGrpo } from "./reflect_grpo.ts";
import { reflectRl } from "./reflect_rl.ts";
import { reflectRlOpd } from "./reflect_rl_opd.ts";
import { reflectRetryReward } from "./reflect_retry_reward.ts";
import { reinforcePp } from "./reinforce_pp.ts";
import { rloo } from "./rloo.ts";
import { sft } from "./sft.ts";
import { vinePpo } from "./vine_ppo.ts";

const builtIn = {
  r3l,
  grpo,
  dr_grpo: drGrpo,
  rloo,
  reinforce_pp: reinforcePp,
  ngrpo,
  cispo,
  dapo,
  gspo,
  opmd,
  bapo,
  raft,
  critique_grpo: critiqueGrpo,
  reflect_grpo: reflectGrpo,
  reflect_retry_reward: reflectRetryReward,
  gigpo,
  vine_ppo: vinePpo,
  sft,
  dpo,
  reflect_rl: reflectRl(named),
  opd,
  reflect_rl_opd: reflectRlOpd,
} as const satisfies Record<string, Pipeline>;

/** A name in {@link pipelines}; `registerPipeline` adds names. */
export type PipelineName = keyof typeof builtIn | (string & Record<never, never>);

/** The algorithms by the names that `algorithm.name` gives. */
export const pipelines: Record<PipelineName, Pipeline> = { ...builtIn };

/** Read when a run begins, so that algorithms of one's own can be built on too. */
function named(name: string): Pipeline {
  return pipelines[name];
}

/** Makes an algorithm of one's own known by `name` to configurations that are read afterwards. ConfigError if it is taken. */
export function registerPipeline(name: string, value: Pipeline): void {
  register(pipelines, "pipeline", name, value);
}
