import { Effect, Stream } from "effect";
import { ScoreError } from "../errors.ts";
import type { Scored, Stitched } from "../record.ts";
import type { Stage } from "../stage.ts";
import { scoreGroup, type ScoreOptions } from "./score_group.ts";

/** The stage that adds members with rewards and verified corrections: {@link scoreGroup} on every group. */
export function score(options: ScoreOptions = {}): Stage<Stitched, Scored, ScoreError> {
  return Stream.mapEffect((group: Stitched) =>
    Effect.suspend(() => {
      try {
        return Effect.succeed(scoreGroup(group, options));
      } catch (error) {
        return error instanceof ScoreError ? Effect.fail(error) : Effect.die(error);
      }
    }).pipe(Effect.withSpan("score"))
  );
}
