import { assertEquals } from "@std/assert";
import { generateGame } from "../../../envs/household/generate/generate_game.ts";
import { type TaskKind, taskKinds } from "../../../envs/household/goal.ts";
import { countedVerdict } from "../../../envs/household/verdict.ts";
import { start, taskAt } from "./_walk.ts";

/** The verdict after every command of the oracle on the first level-0 game of a kind, without repeats. */
function verdicts(kind: TaskKind): { destination: string; said: string[] } {
  for (let index = 0;; index++) {
    const { goal } = generateGame({ split: "train", index, level: 0 });
    if (goal.kind !== kind) continue;
    const { env } = start(taskAt(0, index));
    const said = [env.feedback()];
    for (const command of env.oracle()) {
      env.step(command);
      if (env.feedback() !== said[said.length - 1]) said.push(env.feedback());
    }
    return { destination: goal.destination, said };
  }
}

const steps: Record<TaskKind, (place: string) => string[]> = {
  pick_and_place_simple: (r) => [`Failure: not in ${r}.`],
  pick_heat_then_place_in_recep: (r) => ["Failure: not hot.", `Failure: not in ${r}.`],
  pick_cool_then_place_in_recep: (r) => ["Failure: not cool.", `Failure: not in ${r}.`],
  pick_clean_then_place_in_recep: (r) => ["Failure: not clean.", `Failure: not in ${r}.`],
  look_at_obj_in_light: (lamp) => [`Failure: not under ${lamp}.`],
  pick_two_obj_and_place: (r) => [`Failure: not in ${r}.`, `Failure: one in ${r}.`],
};

const categories: Record<TaskKind, string[]> = {
  pick_and_place_simple: ["not_placed"],
  pick_heat_then_place_in_recep: ["not_changed", "not_placed"],
  pick_cool_then_place_in_recep: ["not_changed", "not_placed"],
  pick_clean_then_place_in_recep: ["not_changed", "not_placed"],
  look_at_obj_in_light: ["not_under_lamp"],
  pick_two_obj_and_place: ["not_placed", "one_placed"],
};

for (const kind of taskKinds) {
  Deno.test(`the verdict names the first unmet condition: ${kind}`, () => {
    const { destination, said } = verdicts(kind);
    assertEquals(said, [
      "Failure: not found.",
      "Failure: not taken.",
      ...steps[kind](destination),
      "Success.",
    ]);
    const counted = said.map((text) => countedVerdict(text).category);
    assertEquals(counted, ["not_found", "not_taken", ...categories[kind], "ok"]);
  });
}
