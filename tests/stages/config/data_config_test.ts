import { assert, assertEquals } from "@std/assert";
import { Result } from "effect";
import { environmentNames } from "../../../stages/config/environment_names.ts";
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

Deno.test("one fault at a time: a file of the wrong type hides that there is none", () => {
  assertEquals(faults("task.environment=math", "data.train=7").length, 1);
  assertEquals(faults("task.environment=chess").length, 1);
  assert(faults("data.bad_rows=1")[0].startsWith("data.bad_rows"));
  assert(faults("data.call_format=xml")[0].startsWith("data.call_format"));
  assert(environmentNames.every((name) => faults(`task.environment=${name}`, "data.train=a").length <= 1));
});
