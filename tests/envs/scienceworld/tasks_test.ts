import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import type { Task } from "../../../envs/env.ts";
import { taskNames, variations } from "../../../envs/scienceworld/catalogue.ts";
import { findJar } from "../../../envs/scienceworld/find_jar.ts";
import { scienceWorldFormat } from "../../../envs/scienceworld/format.ts";
import { scienceWorldTasks } from "../../../envs/scienceworld/scienceworld_tasks.ts";
import { splitVariations } from "../../../envs/scienceworld/split_variations.ts";
import { taskKinds } from "../../../stages/config/environment_names.ts";
import { FileError } from "../../../stages/errors.ts";

Deno.test("30 tasks with 7207 variations, in the simulator's splits", () => {
  assertEquals(taskNames.length, 30);
  assertEquals(taskKinds.scienceworld, taskNames);
  assertEquals(Object.values(variations).reduce((a: number, b) => a + b, 0), 7207);
  // As getVariationsTrain, Dev and Test of the simulator answer.
  const cases = [[300, 150, 75, 75], [30, 14, 7, 9], [10, 4, 2, 4], [14, 6, 3, 5], [120, 60, 30, 30]];
  for (const [count, ...sizes] of cases) {
    const ranges = (["train", "valid", "test"] as const).map((split) => splitVariations(count, split));
    assertEquals(ranges.map(([from, to]) => to - from), sizes);
    assertEquals([ranges[0][0], ranges[1][0], ranges[2][0]], [0, ranges[0][1], ranges[1][1]]);
  }
});

Deno.test("every variation is one task, in one split; a stretch of them holds many tasks", () => {
  const source = scienceWorldTasks({ simplifications: "easy" });
  const ids = (["train", "valid", "test"] as const).flatMap((split) =>
    Array.from({ length: source.size(split) }, (_, i) => (source.task(split, i) as Task).id)
  );
  assertEquals(new Set(ids).size, ids.length);
  assert(new Set(ids.slice(0, 60).map((id) => id.split("/")[1])).size > 10);
  const plants = scienceWorldTasks({
    simplifications: "",
    kinds: { "find-plant": 1, boil: 0 },
    maxTurns: 30,
  });
  assertEquals(plants.size("valid"), 75);
  const { payload } = plants.task("valid", 0) as Task;
  assertEquals(
    payload,
    { ...payload as object, task: "find-plant", simplifications: "", maxTurns: 30 } as never,
  );
});

Deno.test("what does not exist is named", () => {
  const make = (simplifications: string, kinds?: Record<string, number>) => () =>
    scienceWorldTasks({ simplifications, ...(kinds === undefined ? {} : { kinds }) });
  assertThrows(make("easy,flying"), RangeError, "flying");
  assertThrows(make("easy", { sing: 1 }), RangeError, "sing");
  assertThrows(() => make("openDoors,teleportAction")().task("valid", 9999), RangeError, "9999");
});

Deno.test("a jar that is missing, is none, or stands alone is a file's error", async () => {
  await assertRejects(() => findJar("nowhere.jar"), FileError, "nowhere.jar");
  await assertRejects(() => findJar("deno.json"), FileError, "no jar");
  const folder = Deno.makeTempDirSync();
  try {
    Deno.writeFileSync(`${folder}/a.jar`, new Uint8Array([0x50, 0x4b, 3, 4]));
    await assertRejects(() => findJar(`${folder}/a.jar`), FileError, "object_type_ids.tsv");
    Deno.writeTextFileSync(`${folder}/object_type_ids.tsv`, "");
    assertEquals((await findJar(`${folder}/a.jar`)).hash.length, 16);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});

Deno.test("the action stands between tags, or is what follows the thought", () => {
  const { action } = scienceWorldFormat;
  assertEquals(action("<think>hm</think> <action> open door </action>"), "open door");
  assertEquals(action("<action>a</action> no, <action>look around</action>"), "look around");
  assertEquals(action("<think>hm</think>\nwait1\n"), "wait1");
  assertEquals(action(" inventory "), "inventory");
});
