import { assert, assertEquals, assertMatch } from "@std/assert";
import { Effect } from "effect";
import { chooseProvider } from "../../../../stages/engine/onnx/provider.ts";
import { withEngine } from "../_tiny.ts";

Deno.test("the CPU is always there, and auto finds a provider", async () => {
  assertEquals((await Effect.runPromise(chooseProvider("cpu", 1))).description, "cpu (1 thread)");
  assertEquals(await withEngine((e) => Effect.succeed(e.provider), { threads: 2 }), "cpu (2 threads)");
  const auto = await Effect.runPromise(chooseProvider("auto", 1));
  assert(auto.name === "cpu" || auto.name === "cuda");
});

Deno.test("a provider that was asked for and does not answer says what is missing", async () => {
  for (
    const [name, needs] of [["cuda", /libonnxruntime_providers_cuda\.so.*libcublasLt\.so\.13/], [
      "webgpu",
      /GPU/,
    ]] as const
  ) {
    const result = await Effect.runPromise(Effect.result(chooseProvider(name, 1)));
    // Where there is such a device the provider answers.
    if (result._tag === "Success") assertEquals(result.success.name, name);
    else {
      assertEquals(result.failure._tag, "EngineError");
      assertMatch(result.failure.message, new RegExp(`^Cannot use the ${name} execution provider: `));
      assertMatch(result.failure.message, needs);
    }
  }
});

Deno.test("an impossible number of threads or budget is refused", async () => {
  for (const options of [{ threads: 0 }, { threads: 1.5 }, { tokenBudget: 0 }, { logitBudget: -1 }]) {
    const error = await withEngine(() => Effect.void, options).then(
      () => undefined,
      (cause) => cause as Error,
    );
    assertMatch(error!.message, /Cannot start the engine: \w+ is/);
  }
});
