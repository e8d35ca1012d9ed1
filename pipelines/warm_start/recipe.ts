import type { Curriculum } from "../../envs/demonstrator.ts";
import type { SchoolName } from "../../envs/schools.ts";
import type { LlamaConfig } from "../../stages/engine/llama_config.ts";

/** One phase of supervised training. */
export interface Phase {
  readonly curriculum: Curriculum;
  /** First training task and how many. */
  readonly firstTask: number;
  readonly tasks: number;
  readonly epochs: number;
  /** Peak learning rate; cosine decay to a twentieth over the phase after at most 50 steps of warm-up. */
  readonly lr: number;
}

/** How a starting policy is made. */
export interface Recipe {
  /** Whose demonstrator teaches, and the level of the tasks that are demonstrated. */
  readonly environment: SchoolName;
  readonly level: number;
  /** Architecture of a fresh model; or the folder of a policy to start from. */
  readonly model: Omit<LlamaConfig, "vocabSize"> | string;
  readonly seed: number;
  /** Rows of one optimiser step. */
  readonly batch: number;
  /** Weight of a report's tokens against 1 for an action's. */
  readonly reportWeight: number;
  readonly phases: readonly Phase[];
  /**
   * Each phase begins with fresh moments, so that a later one can be made again from
   * the policy that an earlier one left. Default false.
   */
  readonly freshMoments?: boolean;
}

/** Architecture of the policies that ship: 64 wide, 3 layers of 2 heads. */
export const tinyModel: Omit<LlamaConfig, "vocabSize"> = {
  hiddenSize: 64,
  intermediateSize: 192,
  layers: 3,
  heads: 2,
  kvHeads: 2,
  headDim: 32,
  maxPositions: 512,
  ropeTheta: 1000,
  rmsNormEps: 1e-6,
  tied: true,
};

const capable: Phase = { curriculum: "capable", firstTask: 0, tasks: 16_000, epochs: 3, lr: 3e-3 };

const shipped: Recipe = {
  environment: "household",
  level: 1,
  model: tinyModel,
  seed: 1,
  batch: 16,
  reportWeight: 3,
  phases: [capable, { curriculum: "flawed", firstTask: 16_000, tasks: 20_000, epochs: 1, lr: 1.5e-3 }],
};

/** Fewer tasks: its rules are fewer, and its pages are easier to read than a room. */
const shop: Recipe = {
  ...shipped,
  environment: "shop",
  level: 0,
  phases: [
    { curriculum: "capable", firstTask: 0, tasks: 5000, epochs: 2, lr: 3e-3 },
    { curriculum: "flawed", firstTask: 5000, tasks: 4000, epochs: 1, lr: 1.5e-3 },
  ],
};

/** The smallest labs: three rooms and nothing hidden. No task is seen twice. */
const lab: Recipe = {
  ...shipped,
  environment: "lab",
  level: 0,
  freshMoments: true,
  phases: [
    { curriculum: "capable", firstTask: 0, tasks: 24_000, epochs: 1, lr: 3e-3 },
    { curriculum: "flawed", firstTask: 24_000, tasks: 10_000, epochs: 1, lr: 1.5e-3 },
  ],
};

/** Single questions of few words: a smaller model, and errors in its answers, reflections and repairs. */
const countdown: Recipe = {
  ...shipped,
  environment: "countdown",
  level: 0,
  model: {
    ...tinyModel,
    hiddenSize: 32,
    intermediateSize: 96,
    layers: 2,
    headDim: 16,
    maxPositions: 128,
  },
  phases: [{ curriculum: "capable", firstTask: 0, tasks: 5000, epochs: 1, lr: 3e-3 }],
};

/** Starting policies by name. */
export const recipes: Readonly<Record<string, Recipe>> = {
  /** Knows the rules, and breaks them nearly always. */
  household: shipped,
  /** The same in the shop: no rule about options, features and prices. */
  shop,
  /** The same in the lab: no rule about devices, tests, water and mixing. */
  lab,
  /** Answers, reflects, follows advice and repairs a shown attempt, all with errors. */
  countdown,
  /** The same with the habit of adding whatever is asked, unless advised or shown a failure. */
  "countdown-habit": {
    ...countdown,
    model: "fixtures/policies/countdown",
    phases: [{ curriculum: "blind", firstTask: 5000, tasks: 1000, epochs: 1, lr: 1e-3 }],
  },
  /** Knows the rules in its diagnoses and acts on none: unguided sampling has nothing to reinforce. */
  "rule-blind": {
    ...shipped,
    model: "fixtures/policies/household",
    phases: [{ curriculum: "blind", firstTask: 36_000, tasks: 4000, epochs: 1, lr: 1e-3 }],
  },
};
