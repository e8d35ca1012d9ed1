import { demonstrate } from "../../demonstrate.ts";
import type { School } from "../../demonstrator.ts";
import type { LogLine, Task } from "../../env.ts";
import type { Belief } from "../agent/belief.ts";
import { firstBelief, readObservation } from "../agent/read_texts.ts";
import { labFormat } from "../format.ts";
import { Lab } from "../lab.ts";
import { type LabTaskOptions, labTasks } from "../lab_tasks.ts";
import { diagnoseEpisode } from "./diagnose_episode.ts";
import { FlawedAgent } from "./flawed_agent.ts";
import { drawFlaws } from "./flaws.ts";
import { labPhrases, labWords } from "./vocabulary.ts";

/** The lab's demonstrator over the training split. */
export function labSchool(options: LabTaskOptions): School {
  const tasks = labTasks(options);
  return {
    lessons: demonstrate({
      env: new Lab({ lists: false }),
      task: (index) => tasks.task("train", index) as Task,
      cast: (curriculum, rng) => {
        const flaws = drawFlaws(curriculum, rng);
        return (first, log, rng, guidance) => new FlawedAgent(beliefAt(first, log), flaws, rng, guidance);
      },
      diagnose: diagnoseEpisode,
    }),
    format: labFormat,
    phrases: labPhrases,
    words: labWords,
  };
}

function beliefAt(first: string, log: readonly LogLine[]): Belief {
  const belief = firstBelief(first);
  if (belief === null) {
    throw new RangeError(`Cannot demonstrate: no lab task in ${JSON.stringify(first)}`);
  }
  for (const { action, observation } of log) readObservation(belief, action, observation);
  return belief;
}
