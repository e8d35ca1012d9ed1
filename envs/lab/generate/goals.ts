import { hash32 } from "../../../stages/seed.ts";
import type { Split } from "../../env.ts";
import { stages, thingsOf } from "../catalog.ts";
import type { Goal, TaskKind } from "../goal.ts";
import { secondary, tertiary } from "../paints.ts";
import { type Phase, phaseOf, substances } from "../substances.ts";
import { temperatures } from "../world/tick.ts";

/** How hard a lab is: 0 three rooms, 1 four, 2 six without teleporting, 3 all nine. */
export type Level = 0 | 1 | 2 | 3;

/** Vessels that a substance or a mixture may start in. */
export const vessels: readonly string[] = ["pan", "cup", "glass jar", "mug", "bowl", "beaker"];

/** The split that a task belongs to, by a hash of all that defines it but the layout. */
export function splitOf({ kind, target, yes, no }: Goal): Split {
  const slot = hash32(`lab/${kind}/${target}/${yes}/${no}`) % 8;
  return slot === 0 ? "valid" : slot === 1 ? "test" : "train";
}

const cache = new Map<string, readonly Goal[]>();

/** Every goal of a kind that a level and a split can have, in a fixed order. */
export function goals(kind: TaskKind, level: Level, split: Split): readonly Goal[] {
  const key = `${kind}/${level}/${split}`;
  const known = cache.get(key);
  if (known) return known;
  const found = allGoals(kind, level).filter((goal) => splitOf(goal) === split);
  cache.set(key, found);
  return found;
}

function allGoals(kind: TaskKind, level: Level): readonly Goal[] {
  const cross = (targets: readonly string[], yes: readonly string[], no: readonly string[]): Goal[] =>
    targets.flatMap((target) =>
      yes.flatMap((y) => no.filter((n) => n !== y).map((n) => ({ kind, target, yes: y, no: n })))
    );
  const boxes = thingsOf("box");
  switch (kind) {
    case "boil":
      return cross(changing("liquid", ({ boils }) => boils < temperatures.heater), vessels, [""]);
    case "melt":
      return cross(changing("solid", ({ melts }) => melts < temperatures.heater), vessels, [""]);
    case "freeze":
      return cross(changing("liquid", ({ melts }) => melts > temperatures.freezer), vessels, [""]);
    case "measure_temperature":
      return cross(["flask"], boxes, boxes);
    case "find_living_thing":
    case "find_non_living_thing":
      // The room of the box is drawn with the layout; `no` only tells more tasks apart.
      return cross([""], boxes, ["kitchen", "workshop", "living room", "garden"]);
    case "test_conductivity":
      return cross(thingsOf("object"), boxes, boxes);
    case "grow_plant":
      return cross(thingsOf("plant"), thingsOf("pot"), stages.slice(1, [2, 3, 4, 4][level]));
    case "mix_paint":
      return cross(level < 2 ? secondary : tertiary, vessels, ["art studio", "workshop", "living room"]);
  }
}

function changing(phase: Phase, within: (points: { melts: number; boils: number }) => boolean): string[] {
  return Object.keys(substances).filter((name) =>
    phaseOf(name, temperatures.room) === phase && within(substances[name])
  );
}
