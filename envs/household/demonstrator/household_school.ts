import type { Demonstrate } from "../../demonstrator.ts";
import type { Task } from "../../env.ts";
import { Household } from "../household.ts";
import { type HouseholdTaskOptions, householdTasks } from "../tasks.ts";
import { demonstrate, suggestionOf } from "./demonstrate.ts";
import { householdPhrases, householdWords } from "./vocabulary.ts";

/** What a warm start needs from an environment: lessons, and the texts that its tokenizer must know. */
export interface School {
  readonly lessons: Demonstrate;
  readonly phrases: readonly string[];
  readonly words: readonly string[];
}

/** The household's demonstrator over the training split. */
export function householdSchool(options: HouseholdTaskOptions): School {
  const tasks = householdTasks(options);
  const env = new Household();
  const task = (index: number) => tasks.task("train", index) as Task;
  return {
    lessons: (index, curriculum) =>
      demonstrate(
        env,
        task(index),
        curriculum,
        String(index),
        () => suggestionOf(env, task(index + 1), curriculum, String(index + 1)),
      ),
    phrases: householdPhrases,
    words: householdWords,
  };
}
