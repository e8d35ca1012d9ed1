import { assert, assertEquals, assertThrows } from "@std/assert";
import type { Task } from "../../../envs/env.ts";
import { diagnoseVisit } from "../../../envs/shop/demonstrator/diagnose_visit.ts";
import { ShopBelief } from "../../../envs/shop/demonstrator/shop_belief.ts";
import { shopPlan } from "../../../envs/shop/demonstrator/shop_plan.ts";
import { shopSchool } from "../../../envs/shop/demonstrator/shop_school.ts";
import { Shop } from "../../../envs/shop/shop.ts";
import { shopTasks } from "../../../envs/shop/tasks.ts";
import { makePolicyFiles } from "../../../pipelines/warm_start/make_policy.ts";
import { lessonRow } from "../../../pipelines/warm_start/lesson_row.ts";
import { tinyModel } from "../../../pipelines/warm_start/recipe.ts";

const school = shopSchool({ level: 1 });

Deno.test("a shopper that reads only the texts wins the small shops", () => {
  for (const level of [0, 1]) {
    const tasks = shopTasks({ level });
    let won = 0;
    for (let index = 0; index < 150; index++) {
      const env = new Shop();
      let turn = env.reset(tasks.task("valid", index) as Task);
      const belief = ShopBelief.start(turn.observation)!;
      while (!turn.done) {
        const { action } = shopPlan(belief);
        turn = env.step(action);
        belief.update(action, turn.observation);
      }
      won += Number(turn.won);
    }
    assertEquals(won, 150);
  }
});

Deno.test("the flawed shopper lacks the rules, and its guided restarts show what they are worth", () => {
  const counts = { base: [0, 0], own: [0, 0], foreign: [0, 0] };
  for (let index = 0; index < 250; index++) {
    const lessons = school.lessons(index, "flawed");
    (["base", "own", "foreign"] as const).forEach((name, i) => {
      if (lessons[i] === undefined) return;
      counts[name][0] += Number(lessons[i].feedback === "Success.");
      counts[name][1]++;
      assertEquals(lessons[i].turns.length, lessons[i].actions.length + 1);
      if (i > 0) assertEquals(lessons[i].from, lessons[0].diagnosis!.pivot);
    });
  }
  const share = ([won, all]: readonly number[]) => won / all;
  assert(share(counts.base) > 0.2 && share(counts.base) < 0.45, `base ${counts.base}`);
  assert(share(counts.own) > 0.95, `own ${counts.own}`);
  assert(share(counts.foreign) < 0.15, `foreign ${counts.foreign}`);
});

Deno.test("a diagnosis names the cause, a turn that was played, and an end that the plan has", () => {
  for (let index = 0; index < 120; index++) {
    const [base] = school.lessons(index, "capable");
    const { success, cause, pivot, suggestion } = base.diagnosis!;
    assertEquals(success, base.feedback === "Success.");
    if (success) continue;
    assertEquals(`Failure: ${cause}.`, base.feedback);
    assert(pivot < base.actions.length);
    assert(/^(search|take|check|buy)/.test(suggestion), suggestion);
  }
  assertThrows(() => diagnoseVisit("WebShop\nInstruction: \nbuy", [], "Success."), RangeError);
});

Deno.test("the vocabulary covers the demonstrations of every curriculum", () => {
  const { chat, config } = makePolicyFiles(school, tinyModel, "Reflect:");
  assert(config.vocabSize < 420, `${config.vocabSize}`);
  for (const curriculum of ["capable", "flawed", "blind"] as const) {
    for (let index = 1000; index < 1040; index++) {
      for (const lesson of school.lessons(index, curriculum)) {
        const { ids } = lessonRow(lesson, chat, school.format, { reportWeight: 1, instruction: "Reflect:" });
        assert(!ids.includes(chat.encode("\u2603")[0]), `unknown word in task ${index}`);
      }
    }
  }
});
