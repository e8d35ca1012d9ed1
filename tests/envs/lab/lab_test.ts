import { assert, assertEquals, assertNotEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { Lab } from "../../../envs/lab/lab.ts";
import { perform, unknownCommand } from "../../../envs/lab/world/perform.ts";
import { EnvError } from "../../../stages/errors.ts";
import { start, taskAt, walk } from "./_walk.ts";

const coordinates = fc.record({
  level: fc.integer({ min: 0, max: 3 }),
  index: fc.nat(5000),
  seed: fc.string(),
});
const runs = { numRuns: 25, seed: 7 };

Deno.test("the same task and actions give the same turns and fingerprints, also after a JSON round trip", () => {
  fc.assert(
    fc.property(coordinates, ({ level, index, seed }) => {
      const task = taskAt(level, index);
      const a = start(task);
      const b = start(JSON.parse(JSON.stringify(task)));
      assertEquals(a.first, b.first);
      walk(a.env, a.first, seed, 15, (action, turn) => {
        assertEquals(b.env.step(action), turn);
        assertEquals(b.env.fingerprint(), a.env.fingerprint());
      });
    }),
    runs,
  );
});

Deno.test("restore(snapshot()) is the identity, and what follows is what would have followed", () => {
  fc.assert(
    fc.property(coordinates, fc.nat(15), fc.boolean(), ({ level, index, seed }, at, menu) => {
      const { env, first } = start(taskAt(level, index, { menu }));
      let turn = first;
      walk(env, first, seed, at, (_, t) => turn = t);
      const saved = env.snapshot();
      const text = JSON.stringify(saved);
      const print = env.fingerprint();
      const copy = new Lab();
      assertEquals(copy.restore(JSON.parse(text)), turn);
      assertEquals([copy.fingerprint(), copy.feedback(), copy.oracle()], [
        print,
        env.feedback(),
        env.oracle(),
      ]);
      walk(env, turn, seed + "+", 10, (action, t) => {
        assertEquals(copy.step(action), t);
        assertEquals(copy.fingerprint(), env.fingerprint());
        assertEquals(copy.feedback(), env.feedback());
      });
      assertEquals(JSON.stringify(saved), text, "playing on changed a snapshot");
      assertEquals(env.restore(saved), turn);
      assertEquals(env.fingerprint(), print);
    }),
    runs,
  );
});

Deno.test("a snapshot is what replaying the actions leads to", () => {
  const { env, first } = start(taskAt(2, 3));
  const actions: string[] = [];
  walk(env, first, "replay", 40, (action) => actions.push(action));
  const again = start(taskAt(2, 3));
  for (const action of actions) again.env.step(action);
  assertEquals(again.env.snapshot(), env.snapshot());
});

Deno.test("any text is an action; what is no command changes nothing and takes no time", () => {
  for (const menu of [false, true]) {
    const { env, first } = start(taskAt(1, 4, { menu, maxTurns: 100_000 }));
    const begin = env.snapshot();
    const some = first.admissible!;
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: "binary" }),
          fc.tuple(fc.constantFrom(...some), fc.string()).map(([command, tail]) => command + tail),
          fc.constantFrom(...some),
        ),
        (text) => {
          env.restore(begin);
          const before = env.situation.state;
          const turn = env.step(text);
          if (some.includes(text.trim())) assertNotEquals(turn.observation, unknownCommand);
          else assertEquals(env.situation.state, before, JSON.stringify(text));
        },
      ),
      { numRuns: 300, seed: 1 },
    );
  }
});

Deno.test("a listed command is understood, and does something or is one that only tells", () => {
  const tells = /^(look|inventory|task|examine |wait|use |activate )/;
  for (let index = 0; index < 9; index++) {
    const { env, first } = start(taskAt(index % 4, index));
    walk(env, first, `sound ${index}`, 6, (_, turn) => {
      if (turn.done) return;
      const saved = env.snapshot();
      const print = env.fingerprint();
      for (const command of turn.admissible!) {
        const { world, state } = env.situation;
        assert(perform(world, state, command).accepted, command);
        env.step(command);
        if (env.fingerprint() === print) assert(tells.test(command) || command.startsWith("focus"), command);
        env.restore(saved);
      }
      assertEquals([...turn.admissible!].sort(), turn.admissible);
    });
  }
});

Deno.test("an ambiguous name means the first and says so, or is asked for", () => {
  const index = Array.from({ length: 400 }, (_, i) => i).find((i) => {
    const { env } = start(taskAt(2, i, { kinds: { mix_paint: 1 } }));
    return Object.values(env.situation.state.contents).filter((p) => p[0]?.substance === "red paint").length >
      1;
  })!;
  const inStudio = (menu: boolean) => {
    const { env } = start(taskAt(2, index, { kinds: { mix_paint: 1 }, menu }));
    for (let i = 0; i < 30 && env.situation.state.room !== "art studio"; i++) {
      env.step(env.oracle()[0]);
    }
    const saved = env.snapshot() as { state: { room: string } };
    env.restore({ ...saved, state: { ...saved.state, room: "art studio", open: allOpen(env) } } as never);
    return env;
  };
  const plain = inStudio(false).step("examine red paint");
  assert(
    /^\(examine red paint in [a-z ]+\) You see 100 grams of liquid red paint\.$/.test(plain.observation),
  );
  const asking = inStudio(true);
  const before = asking.situation.state;
  const question = asking.step("examine red paint");
  assert(question.observation.startsWith("Ambiguous request: Please enter the number"), question.observation);
  assertEquals(question.admissible, ["0", "1"]);
  assertEquals(asking.step("1").observation, "You see 100 grams of liquid red paint.");
  asking.step("examine red paint");
  assertEquals(asking.step("").observation, unknownCommand);
  assertEquals(asking.situation.state, before);
});

function allOpen(env: Lab): string[] {
  return [...env.situation.state.open, "locker"].sort();
}

Deno.test("after the end a step returns the same turn with reward 0; the limit ends an episode", () => {
  const { env } = start(taskAt(1, 5));
  const turns = env.oracle().map((command) => env.step(command));
  const last = turns[turns.length - 1];
  assertEquals([last.won, last.done, last.score, last.truncated], [true, true, 1, false]);
  assert(Math.abs(turns.reduce((sum, { reward }) => sum + reward, 0) - 1) < 1e-9);
  assertEquals(env.step("look around"), { ...last, reward: 0 });
  assertEquals([env.feedback(), env.oracle()], ["Success.", []]);

  const short = start(taskAt(1, 5, { maxTurns: 3 })).env;
  short.step("look around");
  short.step("nonsense");
  const end = short.step("look around");
  assertEquals([end.won, end.done, end.reward, end.truncated], [false, true, 0, true]);
  assertEquals(short.step("wait"), end);
});

Deno.test("faults of tasks and snapshots are typed errors that name them", () => {
  const env = new Lab();
  const reset = (payload: unknown) => () => env.reset({ id: "t", kind: "k", payload: payload as never });
  assertThrows(() => env.step("wait"), EnvError, "no episode");
  assertThrows(reset(null), EnvError, "payload");
  assertThrows(reset({ version: 1, maxTurns: 0 }), EnvError, "maxTurns is 0");
  assertThrows(reset({ version: 99, maxTurns: 9 }), EnvError, "version 99");
  assertThrows(reset({ version: 1, maxTurns: 9, level: 5 }), EnvError, "level is 5");
  assertThrows(reset({ version: 1, maxTurns: 9, level: 1, split: "train", index: -1 }), EnvError, "-1");
  const { env: played } = start(taskAt(0, 0));
  const saved = played.snapshot() as { [key: string]: never };
  const state = (more: unknown) => () =>
    env.restore({ ...saved, state: { ...saved.state as object, ...more as object } } as never);
  assertThrows(() => env.restore({ ...saved, version: 2 } as never), EnvError, "version 2");
  assertThrows(() => env.restore({ ...saved, turns: -1 } as never), EnvError, "turns is -1");
  assertThrows(state({ room: "moon" }), EnvError, "moon");
  assertThrows(state({ at: { stove: "stove" } }), EnvError, "stove");
  assertThrows(state({ at: {} }), EnvError, "the state's at is of nothing");
  assertThrows(state({ reached: -1 }), EnvError, "reached");
});
