import { assert, assertEquals, assertNotEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { Household } from "../../../envs/household/household.ts";
import { EnvError } from "../../../stages/errors.ts";
import { start, taskAt, walk } from "./_walk.ts";

const coordinates = fc.record({
  level: fc.integer({ min: 0, max: 2 }),
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
    fc.property(coordinates, fc.nat(15), ({ level, index, seed }, at) => {
      const { env, first } = start(taskAt(level, index));
      let turn = first;
      walk(env, first, seed, at, (_, t) => turn = t);
      const saved = env.snapshot();
      const text = JSON.stringify(saved);
      const print = env.fingerprint();
      const copy = new Household();
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

Deno.test("any text is an action; what is no command changes nothing and is refused", () => {
  const { env, first } = start(taskAt(1, 0, 100_000));
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: "binary" }), fc.string(), fc.constantFrom(...first.admissible!)),
      (text) => {
        const print = env.fingerprint();
        const accepted = env.restore(env.snapshot()).admissible!.includes(text.trim());
        const turn = env.step(text);
        assertEquals(turn.observation === "Nothing happens.", !accepted);
        if (!accepted) assertEquals(env.fingerprint(), print);
      },
    ),
    { numRuns: 300, seed: 1 },
  );
});

Deno.test("a command is accepted exactly if it is listed, and does something or is one that only tells", () => {
  const tells = /^(look|inventory|help|examine |heat |cool |clean |slice |open )/;
  for (let index = 0; index < 9; index++) {
    const { env, first } = start(taskAt(index % 3, index));
    walk(env, first, `sound ${index}`, 12, (_, turn) => {
      const saved = env.snapshot();
      const print = env.fingerprint();
      for (const command of turn.admissible!) {
        assertNotEquals(env.step(command).observation, "Nothing happens.", command);
        if (env.fingerprint() === print) assert(tells.test(command), command);
        env.restore(saved);
      }
      assertEquals([...turn.admissible!].sort(), turn.admissible);
    });
  }
});

Deno.test("after the end a step returns the same turn with reward 0; the limit ends an episode", () => {
  const { env } = start(taskAt(1, 5));
  const plan = env.oracle();
  const turns = plan.map((command) => env.step(command));
  const last = turns[turns.length - 1];
  assertEquals([last.won, last.done, last.reward, last.score, last.truncated], [true, true, 1, 1, false]);
  assertEquals(env.step("look"), { ...last, reward: 0 });
  assertEquals(env.feedback(), "Success.");
  assertEquals(env.oracle(), []);

  const short = start(taskAt(1, 5, 3)).env;
  short.step("look");
  short.step("nonsense");
  const end = short.step("look");
  assertEquals([end.won, end.done, end.reward, end.truncated], [false, true, 0, true]);
  assertEquals(short.step(plan[0]), end);
});

Deno.test("faults of tasks and snapshots are typed errors that name them", () => {
  const env = new Household();
  const reset = (payload: unknown) => () => env.reset({ id: "t", kind: "k", payload: payload as never });
  assertThrows(() => env.step("look"), EnvError, "no episode");
  assertThrows(reset(null), EnvError, "payload");
  assertThrows(reset({ game: "generated", version: 1, maxTurns: 0 }), EnvError, "maxTurns is 0");
  assertThrows(reset({ game: "generated", version: 99, maxTurns: 9 }), EnvError, "version 99");
  assertThrows(reset({ game: "chess", maxTurns: 9 }), EnvError, "chess");
  const { env: played } = start(taskAt(0, 0));
  const saved = played.snapshot() as { [key: string]: never };
  assertThrows(() => env.restore({ ...saved, version: 2 } as never), EnvError, "version 2");
  assertThrows(() => env.restore({ ...saved, turns: -1 } as never), EnvError, "turns is -1");
  assertThrows(
    () => env.restore({ ...saved, state: [["opened", [1e9], []]] } as never),
    EnvError,
    "1000000000",
  );
  assertThrows(
    () => env.restore({ ...saved, state: [["openable", [1], []]] } as never),
    EnvError,
    "openable",
  );
});
