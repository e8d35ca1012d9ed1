import type { Amplified, Metrics } from "../record.ts";
import { ifAny, mean } from "./_mean.ts";
import { metricNames as names } from "./metric_names.ts";

/** Reflective and direct rollouts beside each other, where a method mixes them: how many, their success and advantages. */
export function reflectiveMetrics(groups: readonly Amplified[]): Metrics {
  const rows = groups.flatMap((group) =>
    group.members.flatMap((member, i) => {
      const attempt = group.attempts.find(({ index }) => index === member.attempt);
      if (member.kind !== "base" || attempt?.reflective === undefined || member.reward === null) return [];
      return [{ reflective: attempt.reflective, won: Number(member.won), advantage: group.advantages[i] }];
    })
  );
  if (rows.length === 0) return {};
  const reflective = rows.filter((row) => row.reflective);
  const direct = rows.filter((row) => !row.reflective);
  const won = (some: typeof rows) => some.map((row) => row.won);
  const advantages = (some: typeof rows) => some.map((row) => row.advantage);
  return {
    [names.reflectiveRollouts]: reflective.length / groups.length,
    ...ifAny(won(reflective), { [names.reflectiveSuccess]: mean }),
    ...ifAny(won(direct), { [names.directSuccess]: mean }),
    ...(reflective.length > 0 && direct.length > 0
      ? { [names.reflectionGain]: mean(won(reflective)) - mean(won(direct)) }
      : {}),
    ...ifAny(advantages(reflective), { [names.reflectiveAdvantage]: mean }),
    ...ifAny(advantages(direct), { [names.directAdvantage]: mean }),
  };
}
