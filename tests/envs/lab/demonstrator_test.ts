import { assert, assertEquals } from "@std/assert";
import type { Curriculum, Lesson } from "../../../envs/demonstrator.ts";
import { diagnoseEpisode } from "../../../envs/lab/demonstrator/diagnose_episode.ts";
import { labSchool } from "../../../envs/lab/demonstrator/lab_school.ts";

const school = labSchool({ level: 1 });
const won = ({ feedback }: Lesson) => feedback === "Success.";

function shares(curriculum: Curriculum, count = 120) {
  const lessons = Array.from({ length: count }, (_, index) => school.lessons(index, curriculum));
  const share = (of: readonly Lesson[]) => of.filter(won).length / of.length;
  const retried = lessons.filter((each) => each.length > 1);
  return {
    base: share(lessons.map(([base]) => base)),
    guided: share(retried.map(([, guided]) => guided)),
    foreign: share(retried.flatMap(([, , foreign]) => foreign === undefined ? [] : [foreign])),
  };
}

Deno.test("what the curricula can do alone, under their own and under another's suggestion", () => {
  const capable = shares("capable");
  assert(capable.base > 0.6 && capable.base < 0.85, JSON.stringify(capable));
  const flawed = shares("flawed");
  assert(flawed.base > 0.12 && flawed.base < 0.3, JSON.stringify(flawed));
  assert(flawed.guided > 0.8, JSON.stringify(flawed));
  assert(flawed.foreign < flawed.guided / 2, JSON.stringify(flawed));
  const blind = shares("blind");
  assert(blind.base <= flawed.base && blind.guided > 0.8, JSON.stringify(blind));
});

Deno.test("lessons are the same each time; a guided one starts at the pivot of the diagnosis", () => {
  for (let index = 0; index < 20; index++) {
    const lessons = school.lessons(index, "flawed");
    assertEquals(school.lessons(index, "flawed"), lessons);
    const [base, ...more] = lessons;
    for (const { from, guidance, actions, turns } of more) {
      assertEquals(from, base.diagnosis!.pivot);
      assert(guidance !== "");
      assertEquals(actions.slice(0, from), base.actions.slice(0, from));
      assertEquals(turns.length, actions.length + 1);
    }
  }
});

Deno.test("the diagnosis names the first departure of the kind that the verdict blames", () => {
  const first = "Your task is to boil water. You can teleport to garden, kitchen, workshop. " +
    "You are in the kitchen. You see a freezer (closed), a pan (liquid water), a stove (off). Doors: garden.";
  const log = [
    { action: "focus on water", observation: "You focus on the water." },
    { action: "move pan to stove", observation: "You move the pan to the stove." },
    { action: "wait", observation: "Time passes." },
  ];
  assertEquals(diagnoseEpisode(first, log, "Failure: not heated."), {
    success: false,
    summary: "focused water",
    cause: "not heated",
    pivot: 2,
    suggestion: "heat water with stove",
  });
  const broken = [...log.slice(0, 2), {
    action: "activate stove",
    observation: "The stove is broken. The hot plate works.",
  }, { action: "wait", observation: "Time passes." }];
  const { pivot, suggestion } = diagnoseEpisode(first, broken, "Failure: not heated.");
  assertEquals([pivot, suggestion], [3, "heat water with hot plate"]);
  assertEquals(diagnoseEpisode(first, log.slice(1), "Failure: not focused.").suggestion, "focus on water");
});
