import type { EpisodeVerdict } from "../env.ts";
import { adjectives, changeOf, type Goal } from "./goal.ts";
import type { Room } from "./room.ts";

/** What the agent has done with the target so far. */
export interface History {
  /** A thing of the target's type stood in some observation. */
  readonly seen: boolean;
  /** One was held. */
  readonly taken: boolean;
}

/** `Success.`, or the first unmet condition of the goal, e.g. `Failure: not hot.` */
export function verdict(goal: Goal | null, room: Room, history: History): string {
  if (room.game.world.won(room.state)) return "Success.";
  if (goal === null) return "Failure: goal not met.";
  if (!history.seen) return "Failure: not found.";
  if (!history.taken) return "Failure: not taken.";
  const { kind, target, destination } = goal;
  if (kind === "look_at_obj_in_light") return `Failure: not under ${destination}.`;
  const change = changeOf(kind);
  const state = { heat: "ishot", cool: "iscool", clean: "isclean" };
  if (change !== null && !room.things(target).some((t) => room.is(state[change], t))) {
    return `Failure: not ${adjectives[change]}.`;
  }
  const most = Math.max(0, ...room.receptacles(destination).map((r) => room.thingsIn(r, target).length));
  return `Failure: ${kind === "pick_two_obj_and_place" && most === 1 ? "one" : "not"} in ${destination}.`;
}

const categories: readonly (readonly [start: string, category: string])[] = [
  ["Success", "ok"],
  ["Failure: not found", "not_found"],
  ["Failure: not taken", "not_taken"],
  ["Failure: not under", "not_under_lamp"],
  ["Failure: not in", "not_placed"],
  ["Failure: one in", "one_placed"],
  ["Failure: goal", "goal_not_met"],
];

/** A {@link verdict} for statistics, without the names in it. */
export function countedVerdict(text: string): EpisodeVerdict {
  const category = categories.find(([start]) => text.startsWith(start))?.[1] ?? "not_changed";
  return { outcome: category === "ok" ? "right" : "wrong", category, answer: null };
}
