import { assert, assertEquals } from "@std/assert";
import { countdownSchool } from "../../../envs/countdown/demonstrator/countdown_school.ts";
import { pairTasks } from "../../../envs/countdown/pair_tasks.ts";
import type { Curriculum, Lesson } from "../../../envs/demonstrator.ts";

const school = countdownSchool();
const size = pairTasks("train").length;
const won = ({ feedback }: Lesson) => feedback === "Success.";
const share = (lessons: readonly Lesson[]) => lessons.filter(won).length / lessons.length;
const operatorOf = ({ actions: [action] }: Lesson) => /\d+ (.) \d+/.exec(action)![1];

function demonstrated(curriculum: Curriculum) {
  const all = Array.from({ length: 3 * size }, (_, index) => school.lessons(index, curriculum));
  const rest = all.flatMap((lessons) => lessons.slice(1));
  return {
    all,
    base: all.map(([base]) => base),
    guided: rest.filter(({ guidance }) => guidance !== ""),
    repaired: rest.filter(({ shown }) => shown !== undefined),
  };
}

Deno.test("a capable demonstrator errs in its answers, its reflections and its repairs", () => {
  const { all, base, repaired } = demonstrated("capable");
  const retries = all.flatMap((lessons) => lessons.length > 1 ? [lessons[1]] : []);
  for (const [lessons, expected] of [[base, 0.6], [retries, 0.6], [repaired, 0.6]] as const) {
    assert(Math.abs(share(lessons) - expected) < 0.06, `${share(lessons)} of ${lessons.length}`);
  }
});

Deno.test("habit adds in its answers alone", () => {
  const { base, repaired } = demonstrated("blind");
  assert(base.every((lesson) => operatorOf(lesson) === "+"));
  assert(repaired.every((lesson) => operatorOf(lesson) !== "+"));
  assert(Math.abs(share(repaired) - 0.6) < 0.06);
});

Deno.test("advice is followed, right or wrong, and never that of the failed answer", () => {
  const { all, guided } = demonstrated("capable");
  let helped = 0;
  for (const lesson of guided) {
    assertEquals(`<answer>${lesson.guidance.replace("try ", "")}</answer>`, lesson.actions[0]);
    helped += Number(won(lesson));
  }
  assert(helped > 0 && helped < guided.length);
  for (const [base, retry] of all) {
    if (won(base)) continue;
    assertEquals(base.diagnosis!.suggestion, retry.guidance);
    assert(operatorOf(retry) !== operatorOf(base));
  }
});

Deno.test("an attempt that is shown is the failed answer to the same task", () => {
  const { all } = demonstrated("flawed");
  let shown = 0;
  for (const [base, ...others] of all) {
    for (const lesson of others.filter((lesson) => lesson.shown !== undefined)) {
      shown++;
      assertEquals([lesson.shown, lesson.task.id, lesson.guidance], [base.actions[0], base.task.id, ""]);
      assert(!won(base) && lesson.actions[0] !== base.actions[0]);
    }
  }
  assert(shown > size);
});
