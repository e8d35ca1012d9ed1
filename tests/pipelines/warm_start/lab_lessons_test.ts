import { assert, assertEquals } from "@std/assert";
import { schools } from "../../../envs/schools.ts";
import { lessonRow } from "../../../pipelines/warm_start/lesson_row.ts";
import { makePolicyFiles } from "../../../pipelines/warm_start/make_policy.ts";
import { tinyModel } from "../../../pipelines/warm_start/recipe.ts";

Deno.test("the lab's lessons fit the tiny policy: every word is known, and a retry has room", () => {
  const school = schools.lab(0);
  const { chat, config } = makePolicyFiles(school, tinyModel, "Reflect:");
  assert(config.vocabSize < 500, `${config.vocabSize} tokens`);
  const [unknown] = chat.encode("\u{1F600}");
  for (let index = 5000; index < 5040; index++) {
    for (const lesson of school.lessons(index, "capable")) {
      const { ids } = lessonRow(lesson, chat, school.format, { reportWeight: 3, instruction: "Reflect:" });
      assertEquals(ids.includes(unknown), false, JSON.stringify(lesson.actions));
      assert(ids.length < 0.9 * tinyModel.maxPositions, `${ids.length} tokens`);
    }
  }
});
