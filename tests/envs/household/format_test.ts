import { assertEquals } from "@std/assert";
import { householdFormat } from "../../../envs/household/format.ts";
import { start, taskAt } from "./_walk.ts";

Deno.test("the prompt is the observation, guidance if there is some, and the turn's number", () => {
  const task = taskAt(0, 0);
  const { first } = start(task);
  const turn = { ...first, observation: "Nothing happens." };
  assertEquals(householdFormat.system(task), "");
  assertEquals(householdFormat.user(turn, 3, ""), "Nothing happens.\nstep:3");
  assertEquals(
    householdFormat.user(turn, 0, "look in fridge 1"),
    "Nothing happens.\nGuidance: look in fridge 1\nstep:0",
  );
  assertEquals(householdFormat.action("  go to shelf 1\n"), "go to shelf 1");
});
