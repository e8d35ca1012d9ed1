import { Result } from "effect";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { makeComparison } from "../../../pipelines/comparison/comparison.ts";

const yaml = `
folder: /nowhere/compared
tokens: 5000
search: { seeds: [9], tokens: 2000, settings: { task: { eval_tasks: 3 } } }
base: { rollout: { n: 4 } }
starts: { a: { policy: { path: one } }, b: { policy: { path: two } } }
entries: { r3l: , plain: { algorithm: { name: grpo } } }
`;

function faults(...overrides: readonly string[]): readonly string[] {
  const made = makeComparison({ source: "test", yaml, overrides });
  return Result.isFailure(made) ? made.failure.faults.map(({ path, message }) => `${path}: ${message}`) : [];
}

Deno.test("the runs are entries by starts by seeds, each with its own folder", () => {
  const { searchRuns, runs } = Result.getOrThrow(makeComparison({ source: "test", yaml }));
  assertEquals(searchRuns.length, 2 * 2 * 1 * 3);
  const compared = runs((_, entry) => entry === "r3l" ? 1e-3 : 2e-3);
  assertEquals(compared.length, 2 * 2 * 3);
  // Seed by seed, so that a table from half of the runs covers all methods.
  assertEquals(compared.slice(0, 4).map(({ seed }) => seed), [1, 1, 1, 1]);
  const folders = [...searchRuns, ...compared].map(({ config }) => config.trainer.run_dir);
  assertEquals(new Set(folders).size, folders.length);
  const { config } = compared.find(({ start, entry }) => start === "b" && entry === "plain")!;
  assertEquals(config.algorithm.name, "grpo");
  assertEquals(config.policy.path, "two");
  assertEquals(config.rollout.n, 4);
  assertEquals(config.optim.lr, 2e-3);
  assertEquals(config.trainer.total_tokens, 5000);
  assertEquals(config.task.eval_tasks, 200);
  assertEquals([...new Set(searchRuns.map(({ config }) => config.trainer.total_tokens))], [2000]);
  assertEquals([...new Set(searchRuns.map(({ config }) => config.task.eval_tasks))], [3]);
  const short = Result.getOrThrow(
    makeComparison({ source: "test", yaml, overrides: ["search.tokens=null"] }),
  );
  assertEquals([...new Set(short.searchRuns.map(({ config }) => config.trainer.total_tokens))], [5000]);
  // An entry whose search failed is left out.
  assertEquals(runs((start) => start === "a" ? 1e-3 : undefined).length, 6);
});

Deno.test("every method differs from the others in its own keys, rate and folder alone", () => {
  const { runs } = Result.getOrThrow(makeComparison({ source: "test", yaml }));
  const shared = runs(() => 1e-3).filter(({ start }) => start === "a")
    .map(({ config: { algorithm: _, trainer: { run_dir: __, seed: ___, ...trainer }, ...rest } }) =>
      JSON.stringify({ trainer, ...rest })
    );
  assertEquals(new Set(shared).size, 1);
});

Deno.test("wrong input is told with its place", () => {
  assertStringIncludes(faults("seed=[1]")[0], "did you mean seeds");
  assertStringIncludes(faults("tokens=0")[0], "tokens: ");
  assertEquals(faults("reference=plian"), [
    'reference: no entry has that name; did you mean plain? (known: r3l, plain), got "plian"',
  ]);
  assertStringIncludes(faults("seeds=[1,2,9]")[0], "search.seeds: must not be in seeds");
  assertStringIncludes(faults("seeds=[1,1]")[0], "each may be named once, got 1 twice");
  assertStringIncludes(
    faults("seeds=[1.0e+12]")[0],
    "seeds.0: expected a value less than or equal to 4294967295",
  );
  assertStringIncludes(faults("base.optim.lr=1")[0], "base.optim.lr: a comparison sets it");
  assertStringIncludes(faults("entries.plain.trainer.total_steps=3")[0], "runs end after tokens");
  assertStringIncludes(faults("base.eval.temperatures=[1,0.4]")[0], "a comparison judges by one");
  assertStringIncludes(
    faults("entries.plain.algorithm.retries_per_base=2")[0],
    "algorithm grpo does not read it, got 2",
  );
  assertStringIncludes(faults("entries={}")[0], "entries: at least one is needed");
  assertStringIncludes(faults("entries={../x: {}}")[0], "entries");
});

Deno.test("a fault that all runs share is told once", () => {
  const told = faults("base.rollout.tempature=1");
  assertEquals(told.length, 1);
  assert(told[0].includes("did you mean rollout.temperature"), told[0]);
});

Deno.test("a name that could be no folder is told with what a name may have", () => {
  for (const name of ["a/b", "", "..", "ä", "a b"]) {
    const result = makeComparison({ source: "test", yaml: JSON.stringify({ entries: { [name]: {} } }) });
    const message = Result.isFailure(result) ? result.failure.message : "";
    assertMatch(message, /entries: a name takes letters, digits/);
    assertMatch(message, /got "/);
  }
});
