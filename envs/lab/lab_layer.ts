import type { Layer } from "effect";
import type { Environment } from "../env.ts";
import type { EnvironmentChoice } from "../environment_choice.ts";
import { environmentLayer } from "../environment_layer.ts";
import { diagnoseEpisode } from "./demonstrator/diagnose_episode.ts";
import { labFormat } from "./format.ts";
import { Lab } from "./lab.ts";
import { labTasks } from "./lab_tasks.ts";

/** The lab as a service. */
export function lab({ level, maxTurns, kinds, timeoutMs }: EnvironmentChoice): Layer.Layer<Environment> {
  return environmentLayer({
    name: "lab",
    make: () => new Lab(),
    tasks: labTasks({
      level,
      ...(maxTurns === null ? {} : { maxTurns }),
      ...(kinds === null ? {} : { kinds }),
    }),
    format: labFormat,
    timeoutMs,
    expert: (_task, first, log, feedback) => diagnoseEpisode(first, log, feedback),
  });
}
