import { demonstrate } from "../../demonstrate.ts";
import type { School } from "../../demonstrator.ts";
import type { LogLine, Task } from "../../env.ts";
import { Belief } from "../belief.ts";
import { householdFormat } from "../format.ts";
import { Household } from "../household.ts";
import { type HouseholdTaskOptions, householdTasks } from "../tasks.ts";
import { diagnoseEpisode } from "./diagnose_episode.ts";
import { FlawedAgent } from "./flawed_agent.ts";
import { drawFlaws } from "./flaws.ts";
import { householdPhrases, householdWords } from "./vocabulary.ts";

/** The household's demonstrator over the training split. */
export function householdSchool(options: HouseholdTaskOptions): School {
  const tasks = householdTasks(options);
  return {
    lessons: demonstrate({
      env: new Household(),
      task: (index) => tasks.task("train", index) as Task,
      cast: (curriculum, rng) => {
        const flaws = drawFlaws(curriculum, rng);
        return (first, log, rng, guidance) => new FlawedAgent(beliefAt(first, log), flaws, rng, guidance);
      },
      diagnose: diagnoseEpisode,
    }),
    format: householdFormat,
    phrases: householdPhrases,
    words: householdWords,
  };
}

function beliefAt(first: string, log: readonly LogLine[]): Belief {
  const belief = Belief.start(first);
  if (belief === null) {
    throw new RangeError(`Cannot demonstrate: no household task in ${JSON.stringify(first)}`);
  }
  for (const { action, observation } of log) belief.update(action, observation);
  return belief;
}
