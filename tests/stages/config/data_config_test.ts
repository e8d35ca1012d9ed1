import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { Result } from "effect";
import { taskKinds as householdKinds } from "../../../envs/household/goal.ts";
import { taskKinds as labKinds } from "../../../envs/lab/goal.ts";
import { environmentNames, taskKinds } from "../../../stages/config/environment_names.ts";
import { loadConfig } from "../../../stages/config/load_config.ts";

function faults(...overrides: readonly string[]): readonly string[] {
  const result = loadConfig({ source: "test", overrides });
  return Result.isSuccess(result)
    ? []
    : result.failure.faults.map(({ path, message }) => `${path}: ${message}`);
}

Deno.test("an environment that reads its tasks needs a file, any split will do", () => {
  for (const name of ["math", "function_call", "multiple_choice"]) {
    assertEquals(faults(`task.environment=${name}`), [
      `data.train: task.environment ${name} needs a file with its tasks`,
    ]);
    for (const split of ["train", "valid", "test"]) {
      assertEquals(faults(`task.environment=${name}`, `data.${split}=rows.jsonl`), []);
    }
  }
  assertEquals(faults("task.environment=countdown"), []);
  assertEquals(faults("task.environment=countdown", "data.train=rows.jsonl"), []);
});

Deno.test("a file that the environment would not read is a fault", () => {
  const [fault, ...more] = faults("data.valid=rows.jsonl");
  assertEquals(more, []);
  assert(fault.startsWith("data.valid: task.environment household generates its tasks"), fault);
});

Deno.test("files of the shop: none, or a catalogue that says what to buy, and only for the shop", () => {
  const shop = (...overrides: readonly string[]) =>
    faults("task.environment=shop", ...overrides.map((text) => `data.${text}`)).map((text) =>
      text.split(":")[0]
    );
  assertEquals(shop(), []);
  assertEquals(shop("shop.products=a", "shop.attributes=b"), []);
  assertEquals(shop("shop.products=a", "shop.instructions=b", "shop.nouns=c", "shop.limit=9"), []);
  assertEquals(shop("shop.products=a", "train=goals.jsonl"), []);
  assertEquals(shop("shop.products=a"), ["data.shop.instructions"]);
  assertEquals(shop("shop.attributes=a"), ["data.shop.products"]);
  assertEquals(shop("valid=goals.jsonl"), ["data.shop.products"]);
  assertEquals(shop("shop.pages=html"), ["data.shop.pages"]);
  assert(faults("data.shop.limit=9")[0].startsWith("data.shop.limit: is for task.environment shop, got 9"));
});

Deno.test("one fault at a time: a file of the wrong type hides that there is none", () => {
  assertEquals(faults("task.environment=math", "data.train=7").length, 1);
  assertEquals(faults("task.environment=chess").length, 1);
  assert(faults("data.bad_rows=1")[0].startsWith("data.bad_rows"));
  assert(faults("data.call_format=xml")[0].startsWith("data.call_format"));
  assert(environmentNames.every((name) => faults(`task.environment=${name}`, "data.train=a").length <= 1));
});

Deno.test("a kind of task that the environment does not generate is told the nearest one", () => {
  assertEquals(taskKinds.household, householdKinds);
  assertEquals(taskKinds.lab, labKinds);
  const [fault, ...more] = faults("task.kinds={look_at_object_in_light: 1, pick_two_obj_and_place: 1}");
  assertEquals(more, []);
  assertStringIncludes(fault, "task.kinds: look_at_object_in_light: no kind of task has that name; did you");
  assertStringIncludes(fault, "did you mean look_at_obj_in_light?");
});

Deno.test("a reference policy is refused where none is read", () => {
  assertStringIncludes(faults("policy.reference=x")[0], "policy.reference: algorithm r3l reads no reference");
  assertEquals(faults("policy.reference=x", "algorithm.kl_coef=0.1"), []);
  const dpo = ["algorithm.loss=dpo", "algorithm.estimator=best_worst"];
  assertEquals(faults("policy.reference=x", ...dpo), []);
  assertStringIncludes(faults("algorithm.loss=dpo")[0], "needs algorithm.estimator best_worst, got grpo");
});
