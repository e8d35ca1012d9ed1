import { assertEquals } from "@std/assert";
import { Belief } from "../../../envs/household/belief.ts";
import { goalSentence, readGoal, taskKinds } from "../../../envs/household/goal.ts";
import { plan } from "../../../envs/household/plan.ts";

const intro = (
  task: string,
  room = "a cabinet 2, a cabinet 1, a fridge 1, a microwave 1, a shelf 1, and a stoveburner 1",
) =>
  `-= Welcome to TextWorld, ALFRED! =-\n\nYou are in the middle of a room. Looking quickly around you, you see ${room}.\n\nYour task is to: ${task}.`;

/** Plays a script of [expected action, answer] and returns the belief. */
function play(belief: Belief, script: readonly (readonly [string, string])[]): Belief {
  for (const [action, answer] of script) {
    assertEquals(plan(belief).action, action);
    belief.update(action, answer);
  }
  return belief;
}

Deno.test("both sentences of every task type are read back", () => {
  for (const kind of taskKinds) {
    for (const variant of [0, 1] as const) {
      const goal = { kind, target: "potato", destination: "shelf" };
      assertEquals(readGoal(`Your task is to: ${goalSentence(goal, variant)}.`), goal);
    }
  }
  assertEquals(readGoal("Your task is to: win."), null);
  assertEquals(Belief.start("Nothing happens."), null);
});

Deno.test("a plan goes on when the appliance is broken and the receptacle locked", () => {
  const belief = Belief.start(intro("put a hot mug in cabinet"))!;
  assertEquals(plan(belief).subgoal, "look in shelf 1");
  play(belief, [
    ["go to shelf 1", "You arrive at shelf 1. On the shelf 1, you see a mug 1, and a pen 1."],
    ["take mug 1 from shelf 1", "You pick up the mug 1 from the shelf 1."],
    ["go to microwave 1", "You arrive at microwave 1. The microwave 1 is closed."],
    ["heat mug 1 with microwave 1", "The microwave 1 is broken. The stoveburner 1 works."],
    ["go to stoveburner 1", "You arrive at stoveburner 1. On the stoveburner 1, you see nothing."],
    ["heat mug 1 with stoveburner 1", "You heat the mug 1 using the stoveburner 1."],
    ["go to cabinet 1", "You arrive at cabinet 1. The cabinet 1 is closed."],
    ["open cabinet 1", "The cabinet 1 is locked."],
    ["go to cabinet 2", "You arrive at cabinet 2. The cabinet 2 is closed."],
    ["open cabinet 2", "You open the cabinet 2. The cabinet 2 is open. In it, you see a cup 1."],
    ["move mug 1 to cabinet 2", "You move the mug 1 to the cabinet 2."],
  ]);
  assertEquals([...belief.contents], [
    ["shelf 1", ["pen 1"]],
    ["stoveburner 1", []],
    ["cabinet 2", ["cup 1", "mug 1"]],
  ]);
  assertEquals([belief.held, [...belief.locked], [...belief.broken]], [
    null,
    ["cabinet 1"],
    [["microwave 1", "stoveburner 1"]],
  ]);
});

Deno.test("skipState leaves the change out", () => {
  const belief = Belief.start(intro("heat some mug and put it in cabinet"))!;
  belief.update("go to shelf 1", "You arrive at shelf 1. On the shelf 1, you see a mug 1.");
  belief.update("take mug 1 from shelf 1", "You pick up the mug 1 from the shelf 1.");
  assertEquals(plan(belief).kind, "state");
  assertEquals(plan(belief, { skipState: true }).subgoal, "move mug 1 to cabinet 1");
});

Deno.test("a refused way there means being there; a cooled thing is no longer hot", () => {
  const belief = Belief.start(intro("put two mug in cabinet"))!;
  belief.update("go to cabinet 1", "You arrive at cabinet 1. The cabinet 1 is closed.");
  belief.update("go to cabinet 2", "Nothing happens.");
  assertEquals([...belief.here], ["cabinet 1", "cabinet 2"]);
  belief.update("look", "You are facing the cabinet 2, and cabinet 1. Next to it, you see nothing.");
  assertEquals([...belief.here], ["cabinet 2", "cabinet 1"]);
  belief.update("heat mug 1 with microwave 1", "You heat the mug 1 using the microwave 1.");
  belief.update("cool mug 1 with fridge 1", "You cool the mug 1 using the fridge 1.");
  assertEquals([...belief.changes.get("mug 1")!], ["cool"]);
});

Deno.test("a lamp is looked for and used; a wrong thing in hand is put down first", () => {
  const belief = Belief.start(intro("look at pen under the desklamp", "a desk 1, and a drawer 1"))!;
  belief.update("take book 1 from desk 1", "You pick up the book 1 from the desk 1.");
  assertEquals(plan(belief).action, "go to desk 1");
  play(belief, [
    ["go to desk 1", "You arrive at desk 1. On the desk 1, you see a desklamp 1, and a pen 1."],
    ["move book 1 to desk 1", "You move the book 1 to the desk 1."],
    ["take pen 1 from desk 1", "You pick up the pen 1 from the desk 1."],
    ["use desklamp 1", "You turn on the desklamp 1."],
  ]);
});

Deno.test("a clone shares nothing that can change, and any text is taken", () => {
  const belief = Belief.start(intro("put a mug in cabinet"))!;
  belief.update("go to shelf 1", "You arrive at shelf 1. On the shelf 1, you see a mug 1.");
  const copy = belief.clone();
  assertEquals(copy, belief);
  copy.update("take mug 1 from shelf 1", "You pick up the mug 1 from the shelf 1.");
  copy.update("\u0000", "((((");
  assertEquals([belief.held, belief.contents.get("shelf 1"), copy.held], [null, ["mug 1"], "mug 1"]);
});
