import { assert, assertEquals, assertThrows } from "@std/assert";
import { Effect, Result } from "effect";
import { zipSync } from "fflate";
import { Environment, type Split } from "../../../../envs/env.ts";
import {
  type AlfworldTaskOptions,
  alfworldTasks,
} from "../../../../envs/household/alfworld/alfworld_tasks.ts";
import { Household } from "../../../../envs/household/household.ts";
import { environmentOf } from "../../../../pipelines/run/environment_of.ts";
import { loadConfig } from "../../../../stages/config/load_config.ts";
import { FileError } from "../../../../stages/errors.ts";
import { potatoPath } from "../../text_game/_games.ts";

const potato = Deno.readTextFileSync(potatoPath);
const heat = "pick_heat_then_place_in_recep-Potato-None-SinkBasin-14";
const place = "pick_and_place_simple-Potato-None-SinkBasin-14";
const game = (split: string, folder: string, trial: string) =>
  `json_2.1.1/${split}/${folder}/${trial}/game.tw-pddl`;

/** A release in small: three games to play in train, one in each other split, and what is left out. */
const release: Readonly<Record<string, string>> = {
  [game("train", heat, "trial_T2")]: potato,
  [game("train", heat, "trial_T1")]: potato,
  [game("train", place, "trial_T9")]: potato,
  [game("train", "pick_and_place_simple-AppleSliced-None-Fridge-1", "trial_T1")]: potato,
  [game("train", "pick_two_obj_and_place-Pen-None-Safe-2", "movable_trial_T1")]: potato,
  [game("train", heat, "trial_T3")]: potato.replace('"solvable": true', '"solvable": false'),
  [game("train", heat, "trial_T4")]: JSON.stringify({ ...JSON.parse(potato), solvable: undefined }),
  [game("valid_seen", heat, "trial_T5")]: potato,
  [game("valid_unseen", place, "trial_T6")]: potato,
  [`json_2.1.1/train/${heat}/trial_T1/traj_data.json`]: "{}",
  "json_2.1.1/valid_train/x-1/trial/game.tw-pddl": potato,
};

/** Runs a test on the files of a release, in a folder and in a zip file. */
function onRelease(
  files: Readonly<Record<string, string>>,
  run: (path: string, kind: "folder" | "zip") => void,
) {
  const root = Deno.makeTempDirSync();
  try {
    const folder = `${root}/data`;
    for (const [name, text] of Object.entries(files)) {
      const path = `${folder}/${name}`;
      Deno.mkdirSync(path.slice(0, path.lastIndexOf("/")), { recursive: true });
      Deno.writeTextFileSync(path, text);
    }
    const encoded = Object.entries(files).map(([name, text]) => [name, new TextEncoder().encode(text)]);
    Deno.writeFileSync(`${root}/games.zip`, zipSync(Object.fromEntries(encoded), { level: 1 }));
    run(folder, "folder");
    run(`${root}/games.zip`, "zip");
  } finally {
    Deno.removeSync(root, { recursive: true });
  }
}

function tasksOf(path: string, options: Partial<AlfworldTaskOptions> = {}, warnings: string[] = []) {
  return alfworldTasks({ path, maxTurns: 50, badRows: 0, ...options }, (message) => warnings.push(message));
}

/** Ids of a split. */
function idsOf(tasks: ReturnType<typeof tasksOf>, split: Split): readonly string[] {
  return Array.from({ length: tasks.size(split) }, (_, i) => (tasks.task(split, i) as { id: string }).id);
}

Deno.test("a folder and a zip file give the games that ALFWorld plays, by split, in the same order", () => {
  onRelease(release, (path) => {
    const tasks = tasksOf(path);
    assertEquals(idsOf(tasks, "train"), [
      `alfworld/train/${place}/trial_T9`,
      `alfworld/train/${heat}/trial_T1`,
      `alfworld/train/${heat}/trial_T2`,
    ]);
    assertEquals(idsOf(tasks, "valid"), [`alfworld/valid_seen/${heat}/trial_T5`]);
    assertEquals(idsOf(tasks, "test"), [`alfworld/valid_unseen/${place}/trial_T6`]);
    const task = tasks.task("valid", 0) as Parameters<Household["reset"]>[0];
    assertEquals(task.kind, "pick_heat_then_place_in_recep");
    const env = new Household();
    env.reset(task);
    assert(env.oracle().map((command) => env.step(command)).at(-1)!.won);
    assertThrows(() => tasks.task("train", 3), RangeError, "train has 3 games, no game 3");
  });
});

Deno.test("a folder of one release is as good as its parent, task types are chosen by weight", () => {
  onRelease(release, (path, kind) => {
    const tasks = tasksOf(kind === "folder" ? `${path}/json_2.1.1/` : path, {
      kinds: { pick_and_place_simple: 1, pick_heat_then_place_in_recep: 0 },
    });
    assertEquals((["train", "valid", "test"] as const).map((split) => tasks.size(split)), [1, 0, 1]);
    const none = assertThrows(() => tasksOf(path, { kinds: { look_at_obj_in_light: 1 } }), FileError);
    assert(none.message.includes("no game of the chosen types"), none.message);
  });
});

Deno.test("broken games are an error that names them and their fields, unless their share is allowed", () => {
  const { pddl_problem: _, ...rest } = JSON.parse(potato);
  const broken = {
    ...release,
    [game("train", heat, "trial_T7")]: JSON.stringify(rest),
    [game("train", heat, "trial_T8")]: potato.slice(0, 500),
  };
  onRelease(broken, (path) => {
    const error = assertThrows(() => tasksOf(path), FileError);
    for (
      const part of [
        path,
        "2 of 7 games of train are broken",
        "trial_T7/game.tw-pddl: field pddl_problem is no text",
        "trial_T8/game.tw-pddl: no JSON",
      ]
    ) assert(error.message.includes(part), error.message);
    assert(!error.message.includes("\n"));
    const warnings: string[] = [];
    assertEquals(tasksOf(path, { badRows: 0.3 }, warnings).size("train"), 3);
    assertEquals([warnings.length, warnings[0].includes("left out")], [1, true]);
  });
});

Deno.test("what is no archive is an error that names it", () => {
  const root = Deno.makeTempDirSync();
  try {
    const write = (name: string, bytes: Uint8Array) => {
      Deno.writeFileSync(`${root}/${name}`, bytes);
      return `${root}/${name}`;
    };
    const text = new TextEncoder().encode(potato);
    const zip = zipSync({ [game("train", heat, "trial_T1")]: [text, { level: 0 }] });
    const damaged = (level: 0 | 6) => {
      const bytes = zipSync({ [game("train", heat, "trial_T1")]: [text, { level }] });
      return bytes.fill(0xff, 200, 4000);
    };
    const cases: readonly (readonly [path: string, says: string])[] = [
      [`${root}/absent`, "cannot read ALFWorld's games"],
      [root, "none of ALFWorld's splits is here"],
      [write("text.zip", text.slice(0, 100)), "cannot unpack the zip file"],
      [write("cut.zip", zip.slice(0, zip.length >> 1)), "cannot unpack the zip file"],
      [write("empty.zip", zipSync({ "readme.txt": text })), "holds no game.tw-pddl"],
      [write("stored.zip", damaged(0)), "trial_T1/game.tw-pddl: the zip file is damaged here"],
      [write("deflated.zip", damaged(6)), "trial_T1/game.tw-pddl: the zip file is damaged here"],
    ];
    for (const [path, says] of cases) {
      const error = assertThrows(() => tasksOf(path), FileError);
      assert(error.message.startsWith(path) && error.message.includes(says), error.message);
    }
  } finally {
    Deno.removeSync(root, { recursive: true });
  }
});

Deno.test("task.source=alfworld reads the folder that is named, else ALFWORLD_DATA", async () => {
  const firstOf = (...overrides: string[]) => {
    const config = Result.getOrThrow(
      loadConfig({ source: "test", overrides: ["task.source=alfworld", "task.prompt=r3l", ...overrides] }),
    );
    return Effect.runPromise(
      Effect.result(
        Effect.gen(function* () {
          const environment = yield* Environment;
          const task = yield* environment.task("valid", 0);
          const episode = yield* Effect.scoped(environment.open(task));
          return [task.id, (yield* episode.reset).observation, environment.format.system(task)];
        }).pipe(Effect.provide(environmentOf(config))),
      ),
    );
  };
  const before = Deno.env.get("ALFWORLD_DATA");
  const root = Deno.makeTempDirSync();
  try {
    Deno.env.delete("ALFWORLD_DATA");
    const lost = Result.getFailure(await firstOf());
    assert(String(lost).includes("ALFWORLD_DATA"), String(lost));
    const path = `${root}/games.zip`;
    Deno.writeFileSync(
      path,
      zipSync({ [game("valid_seen", heat, "trial_T5")]: new TextEncoder().encode(potato) }),
    );
    const named = Result.getOrThrow(await firstOf(`data.alfworld=${path}`));
    Deno.env.set("ALFWORLD_DATA", path);
    assertEquals(Result.getOrThrow(await firstOf()), named);
    assertEquals(named[0], `alfworld/valid_seen/${heat}/trial_T5`);
    assert(named[1].includes("Your task is to: put a hot potato in sinkbasin."), named[1]);
    assert(named[2].endsWith("within 25 steps."));
  } finally {
    if (before === undefined) Deno.env.delete("ALFWORLD_DATA");
    else Deno.env.set("ALFWORLD_DATA", before);
    Deno.removeSync(root, { recursive: true });
  }
});

Deno.test("keys of the household with another environment are faults", () => {
  const faults = (...overrides: string[]) => {
    const result = loadConfig({ source: "test", overrides });
    return Result.isSuccess(result) ? [] : result.failure.faults.map(({ path }) => path);
  };
  assertEquals(faults("task.source=alfworld", "data.alfworld=x", "task.prompt=r3l"), []);
  assertEquals(faults("task.environment=countdown", "task.source=alfworld", "task.prompt=r3l"), [
    "task.source",
    "task.prompt",
  ]);
  assertEquals(faults("data.alfworld=x"), ["data.alfworld"]);
});
