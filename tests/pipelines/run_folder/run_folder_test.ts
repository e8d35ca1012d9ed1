import { Cause, Effect, Exit, Result } from "effect";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { sha256 } from "../../../pipelines/run_folder/checkpoint.ts";
import { openRunFolder, type RunFolder } from "../../../pipelines/run_folder/run_folder.ts";
import { loadConfig } from "../../../stages/config/load_config.ts";
import { ConfigError, FileError } from "../../../stages/errors.ts";

const configOf = (folder: string, overrides: readonly string[]) =>
  Result.getOrThrow(
    loadConfig({ source: "test", overrides: [`trainer.run_dir=${folder}`, ...overrides] }),
  );

/** Opens the folder, runs `use`, closes it; the value or the error. */
function session<A>(
  folder: string,
  overrides: readonly string[],
  use: (run: RunFolder) => Effect.Effect<A, unknown>,
): Promise<A> {
  return Effect.runPromiseExit(
    Effect.scoped(Effect.flatMap(openRunFolder(configOf(folder, overrides)), use)),
  ).then((exit) => {
    if (Exit.isSuccess(exit)) return exit.value;
    throw Cause.squash(exit.cause);
  });
}

const start = (run: RunFolder) => Effect.succeed({ ...run.start, warnings: run.warnings });

async function failure(run: Promise<unknown>): Promise<Error> {
  try {
    await run;
  } catch (error) {
    return error as Error;
  }
  throw new Error("expected a failure");
}

const weights = (text: string) => (folder: string) =>
  Effect.sync(() => Deno.writeTextFileSync(`${folder}/model.safetensors`, text));

/** Steps `from..to`, each with its metrics, an attempts line and a checkpoint every second step. */
const steps = (run: RunFolder, from: number, to: number) =>
  Effect.gen(function* () {
    for (let step = from; step <= to; step++) {
      yield* run.writeMetrics(step, { "critic/score/mean": step / 7, "actor/lr": 1 / step });
      yield* run.writeAttempts({
        step,
        task: { id: `t${step}`, kind: "k" },
        members: [],
        diagnoses: [],
        retries: [],
      });
      if (step % 2 === 0) {
        yield* run.saveCheckpoint({ step, cursor: 8 * step }, weights(`weights ${step}`));
      }
    }
  });

async function withFolder(test: (folder: string) => Promise<void>): Promise<void> {
  const parent = Deno.makeTempDirSync();
  try {
    await test(`${parent}/run`);
  } finally {
    Deno.removeSync(parent, { recursive: true });
  }
}

const read = (path: string) => Deno.readTextFileSync(path);
const names = (folder: string) => [...Deno.readDirSync(folder)].map(({ name }) => name).sort();

Deno.test("a new folder starts at step 0 and holds the resolved configuration", () =>
  withFolder(async (folder) => {
    const state = await session(folder, [], start);
    assertEquals(state, { step: 0, cursor: 0, tokens: 0, checkpoint: null, warnings: [] });
    const stored = loadConfig({ source: "stored", yaml: read(`${folder}/config.yaml`) });
    assertEquals(Result.getOrThrow(stored), configOf(folder, []));
  }));

Deno.test("8 steps equal 4 steps, a crash at 5 and 4 more steps", () =>
  withFolder(async (straight) => {
    await session(straight, [], (run) => steps(run, 1, 8));
    await withFolder(async (broken) => {
      await session(broken, [], (run) => steps(run, 1, 5));
      Deno.writeTextFileSync(`${broken}/metrics.jsonl`, '{"step":6,"act', { append: true });
      Deno.writeTextFileSync(`${broken}/attempts.jsonl`, '{"step":5,"x":1}\n', { append: true });
      await session(broken, [], (run) => {
        assertEquals(run.start, {
          step: 4,
          cursor: 32,
          tokens: 0,
          checkpoint: `${broken}/checkpoints/step_4`,
        });
        return steps(run, 5, 8);
      });
      for (const name of ["metrics.jsonl", "attempts.jsonl"]) {
        assertEquals(read(`${broken}/${name}`), read(`${straight}/${name}`));
      }
      assertEquals(names(`${broken}/checkpoints`), ["step_6", "step_8"]);
    });
  }));

const damages: Record<string, (folder: string) => void> = {
  "another byte": (c) => Deno.writeTextFileSync(`${c}/model.safetensors`, "weights 5"),
  "a short file": (c) => Deno.truncateSync(`${c}/model.safetensors`, 3),
  "a missing file": (c) => Deno.removeSync(`${c}/model.safetensors`),
  "no manifest": (c) => Deno.removeSync(`${c}/manifest.json`),
  "half a manifest": (c) => Deno.truncateSync(`${c}/manifest.json`, 40),
  "a foreign manifest": (c) => Deno.writeTextFileSync(`${c}/manifest.json`, '{"format": 9}'),
};
for (const [name, damage] of Object.entries(damages)) {
  Deno.test(`a checkpoint with ${name} is passed over with a warning`, () =>
    withFolder(async (folder) => {
      await session(folder, [], (run) => steps(run, 1, 4));
      damage(`${folder}/checkpoints/step_4`);
      const state = await session(folder, [], start);
      assertEquals(state.step, 2);
      assertEquals(state.warnings.length, 1);
      assertStringIncludes(state.warnings[0], "step_4 is not whole");
      assertEquals(read(`${folder}/metrics.jsonl`).trim().split("\n").length, 2);

      const asked = `trainer.resume=${folder}/checkpoints/step_4`;
      const error = await failure(session(folder, [asked], start));
      assert(error instanceof FileError);
      assertStringIncludes(error.message, "not a whole checkpoint");
    }));
}

Deno.test("a checkpoint that cannot be written leaves the one before and no trace", () =>
  withFolder(async (folder) => {
    await session(folder, [], (run) => steps(run, 1, 2));
    const full = new FileError({ path: "model.safetensors", reason: "the disk is full" });
    const error = await failure(
      session(
        folder,
        [],
        (run) =>
          run.saveCheckpoint(
            { step: 3, cursor: 24 },
            (temporary) => Effect.andThen(weights("half")(temporary), Effect.fail(full)),
          ),
      ),
    );
    assertEquals(error, full);
    assertEquals(names(`${folder}/checkpoints`), ["step_2"]);
    assertEquals((await session(folder, [], start)).step, 2);
  }));

Deno.test({
  name: "a full disk under metrics.jsonl is one clear error",
  ignore: Deno.build.os !== "linux",
  fn: () =>
    withFolder(async (folder) => {
      // Deno lets only --allow-all write to /dev.
      const fixture = new URL("./_full_disk_fixture.ts", import.meta.url).pathname;
      const { stdout } = await new Deno.Command(Deno.execPath(), {
        args: ["run", "--quiet", "--no-check", "--allow-all", fixture, folder],
      }).output();
      assertEquals(
        new TextDecoder().decode(stdout),
        `FileError ${folder}/metrics.jsonl: the disk is full; free some space and try again\n`,
      );
    }),
});

Deno.test("another configuration is refused with every key that differs; free keys may change", () =>
  withFolder(async (folder) => {
    await session(folder, [], (run) => steps(run, 1, 2));
    const free = [
      "trainer.total_steps=999",
      "rollout.concurrency=1",
      "log.progress=none",
      "eval.tasks=5",
      "demonstrations.tasks=1",
      "failures.cap=2",
      "serve.port=1",
    ];
    assertEquals((await session(folder, free, start)).step, 2);
    const error = await failure(session(folder, ["optim.lr=1", "task.level=2"], start));
    assert(error instanceof ConfigError);
    assertEquals(error.faults, [
      { path: "optim.lr", message: "is 0.0006 there and 1 now" },
      { path: "task.level", message: "is 1 there and 2 now" },
    ]);
  }));

Deno.test("resume=never does not touch a folder that holds files", () =>
  withFolder(async (folder) => {
    await session(folder, [], (run) => steps(run, 1, 2));
    const before = read(`${folder}/metrics.jsonl`);
    const error = await failure(session(folder, ["trainer.resume=never"], start));
    assert(error instanceof ConfigError);
    assertStringIncludes(error.message, "trainer.resume=auto");
    assertEquals(read(`${folder}/metrics.jsonl`), before);
  }));

Deno.test("a start that saved nothing does not claim the folder, wherever it stopped", () =>
  withFolder(async (folder) => {
    await session(folder, ["task.level=2"], start);
    for (const resume of ["auto", "never"]) {
      assertEquals((await session(folder, [`trainer.resume=${resume}`], start)).step, 0);
    }
    Deno.removeSync(`${folder}/config.yaml`);
    Deno.writeTextFileSync(`${folder}/config.yaml.tmp`, "algor");
    Deno.mkdirSync(`${folder}/checkpoints/.step_1.tmp`);
    assertEquals((await session(folder, [], start)).warnings, []);
    await session(folder, [], (run) => run.writeMetrics(0, {}));
    const error = await failure(session(folder, ["task.level=2"], start));
    assertStringIncludes(error.message, "task.level");
  }));

Deno.test("a run that starts from a checkpoint elsewhere keeps that one's tokenizer", () =>
  withFolder(async (folder) => {
    const policy = Deno.makeTempDirSync();
    Deno.writeTextFileSync(`${policy}/tokenizer.json`, '"theirs"');
    await session(folder, [`policy.path=${policy}`], (run) => steps(run, 1, 2));
    Deno.writeTextFileSync(`${policy}/tokenizer.json`, '"another"');
    await withFolder(async (other) => {
      const overrides = [`policy.path=${policy}`, `trainer.resume=${folder}/checkpoints/step_2`];
      await session(other, overrides, (run) => steps(run, 3, 8));
      assertEquals(read(`${other}/checkpoints/step_8/tokenizer.json`), '"theirs"');
    });
    Deno.removeSync(policy, { recursive: true });
  }));

Deno.test("where no folder can be is a fault of trainer.run_dir", () =>
  withFolder(async (folder) => {
    Deno.mkdirSync(folder);
    Deno.writeTextFileSync(`${folder}/file`, "");
    for (const place of [`${folder}/file`, `${folder}/file/run`]) {
      const error = await failure(session(place, [], start));
      assert(error instanceof ConfigError, `${error}`);
      assertEquals(error.faults.map(({ path }) => path), ["trainer.run_dir"]);
      assertStringIncludes(error.faults[0].message, place);
    }
    assertEquals(names(folder), ["file"]);
  }));

Deno.test("a folder of something else is refused", () =>
  withFolder(async (folder) => {
    Deno.mkdirSync(folder);
    Deno.writeTextFileSync(`${folder}/thesis.txt`, "precious");
    const error = await failure(session(folder, [], start));
    assertStringIncludes(error.message, "no run folder");
    assertEquals(names(folder), ["thesis.txt"]);
  }));

Deno.test("a checkpoint by path starts a new folder, but never overwrites later ones", () =>
  withFolder(async (folder) => {
    await session(folder, [], (run) => steps(run, 1, 4));
    const resume = `trainer.resume=${folder}/checkpoints/step_2`;
    await withFolder(async (other) => {
      const state = await session(other, [resume, "optim.lr=1"], start);
      assertEquals([state.step, state.cursor], [2, 16]);
    });
    const error = await failure(session(folder, [resume], start));
    assertStringIncludes(error.message, "later checkpoints (steps 4)");
  }));

Deno.test("two processes cannot train in one folder", () =>
  withFolder(async (folder) => {
    const error = await session(folder, [], () =>
      Effect.flip(Effect.scoped(openRunFolder(configOf(folder, [])))));
    assertStringIncludes(error.message, "another process is using this folder");
  }));

Deno.test("metrics lines list step first, then keys in a fixed order", () =>
  withFolder(async (folder) => {
    await session(folder, [], (run) =>
      Effect.andThen(run.writeMetrics(1, { b: 0.1, a: 2 }), run.writeMetrics(2, { a: 2, b: NaN })));
    assertEquals(read(`${folder}/metrics.jsonl`), '{"step":1,"a":2,"b":0.1}\n{"step":2,"a":2,"b":null}\n');
  }));

Deno.test("a line of metrics that is no JSON is named, unless it is the last", () =>
  withFolder(async (folder) => {
    await session(folder, [], (run) => steps(run, 1, 2));
    Deno.writeTextFileSync(`${folder}/metrics.jsonl`, '{"step":1}\n{"st\n{"step":2}\n');
    const error = await failure(session(folder, [], start));
    assertStringIncludes(error.message, "line 2 is not JSON");
  }));

Deno.test("what a killed write left behind is removed, and a checkpoint of that step can be written again", () =>
  withFolder(async (folder) => {
    await session(folder, [], (run) => steps(run, 1, 2));
    for (const name of [".step_4.tmp", ".step_1.old"]) {
      Deno.mkdirSync(`${folder}/checkpoints/${name}`);
      Deno.writeTextFileSync(`${folder}/checkpoints/${name}/model.safetensors`, "half");
    }
    const state = await session(folder, [], start);
    assertEquals([state.step, state.warnings], [2, []]);
    assertEquals(names(`${folder}/checkpoints`), ["step_2"]);
  }));

Deno.test("a checkpoint of another configuration in this folder is refused", () =>
  withFolder(async (folder) => {
    await session(folder, [], (run) => steps(run, 1, 2));
    await withFolder(async (other) => {
      await session(other, ["optim.lr=1"], (run) => steps(run, 1, 4));
      Deno.renameSync(`${other}/checkpoints/step_4`, `${folder}/checkpoints/step_4`);
    });
    const error = await failure(session(folder, [], start));
    assert(error instanceof FileError);
    assertStringIncludes(error.message, "step_4: was made by a run with another configuration");
  }));

Deno.test("a checkpoint from before a key was added is the run's if its own configuration is", () =>
  withFolder(async (folder) => {
    await session(folder, [], (run) => steps(run, 1, 2));
    const checkpoint = `${folder}/checkpoints/step_2`;
    const rewrite = (change: (yaml: string) => string) => {
      const yaml = change(read(`${checkpoint}/config.yaml`));
      Deno.writeTextFileSync(`${checkpoint}/config.yaml`, yaml);
      const manifest = JSON.parse(read(`${checkpoint}/manifest.json`));
      manifest.files["config.yaml"] = { bytes: yaml.length, sha256: sha256(yaml) };
      Deno.writeTextFileSync(`${checkpoint}/manifest.json`, JSON.stringify({ ...manifest, config: "old" }));
    };
    rewrite((yaml) => yaml.replace(/^ {2}decode_lanes: .*\n/m, ""));
    assertEquals((await session(folder, [], start)).step, 2);
    rewrite((yaml) => yaml.replace(/^( {2}weight_decay: ).*$/m, "$10.5"));
    assertStringIncludes(
      (await failure(session(folder, [], start))).message,
      "optim.weight_decay is 0.5 there",
    );
  }));

Deno.test("a checkpoint carries the policy's tokenizer and the configuration: it is a model folder", () =>
  withFolder(async (folder) => {
    const policy = Deno.makeTempDirSync();
    Deno.writeTextFileSync(`${policy}/tokenizer.json`, "{}");
    Deno.writeTextFileSync(`${policy}/secret.txt`, "not ours");
    const overrides = [`policy.path=${policy}`];
    await session(folder, overrides, (run) => steps(run, 1, 2));
    Deno.removeSync(policy, { recursive: true });
    const checkpoint = `${folder}/checkpoints/step_2`;
    assertEquals(names(checkpoint), ["config.yaml", "manifest.json", "model.safetensors", "tokenizer.json"]);
    const stored = loadConfig({ source: "stored", yaml: read(`${checkpoint}/config.yaml`) });
    assertEquals(Result.getOrThrow(stored), configOf(folder, overrides));
  }));

Deno.test("a run is not continued on a file whose content has changed", () =>
  withFolder(async (folder) => {
    const file = `${folder}-rows.jsonl`;
    const overrides = ["algorithm.name=sft", `algorithm.offline=${file}`];
    Deno.writeTextFileSync(file, "a\n");
    await session(folder, overrides, (run) => steps(run, 1, 2));
    Deno.writeTextFileSync(file, "b\n");
    const error = await failure(session(folder, overrides, start));
    assert(error instanceof ConfigError);
    assertEquals(error.faults, [{
      path: "algorithm.offline",
      message: "has other content than when the run began",
    }]);
    Deno.writeTextFileSync(file, "a\n");
    assertEquals((await session(folder, overrides, start)).step, 2);
  }));
