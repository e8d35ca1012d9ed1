import { synchronise } from "../stages/update/synchronise.ts";
import { update } from "../stages/update/update.ts";
import { plainStages } from "./_plain_stages.ts";
import { offlineGroups, type OfflineKind } from "./offline/offline_groups.ts";
import type { PipelineParts } from "./pipeline.ts";

/** Training on the rows in `algorithm.offline`, or without a file on what the policy samples. */
export function offlineStages(kind: OfflineKind): PipelineParts["stages"] {
  return (options, config) => {
    const { offline } = config.algorithm;
    if (offline === null) return plainStages(options);
    return (tasks) =>
      tasks.pipe(
        offlineGroups(offline, kind, config),
        update(options.update),
        synchronise(options.syncEvery),
      );
  };
}
