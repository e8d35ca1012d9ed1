import { assert, assertEquals, assertNotEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import type { Json, Task } from "../../../../envs/env.ts";
import type { GameCoordinates } from "../../../../envs/household/generate/generate_game.ts";
import { isFault, readReply } from "../../../../envs/household/release/read_reply.ts";
import { releaseFormat } from "../../../../envs/household/release/release_format.ts";
import { ReleaseHousehold, releaseMaxTurns } from "../../../../envs/household/release/release_household.ts";
import { householdTasks } from "../../../../envs/household/tasks.ts";
import { EnvError } from "../../../../stages/errors.ts";
import { fixture, gameOf } from "../../text_game/_games.ts";

interface Play {
  readonly replies: readonly string[];
  readonly users: readonly string[];
  readonly feedback: string;
  readonly reward: number;
}

interface Recording {
  readonly system: string;
  readonly request: string;
  readonly plays: readonly (Play & {
    readonly name: string;
    readonly coordinates: GameCoordinates;
    readonly retry?: Play & { readonly step: number };
  })[];
}

const { system, request, plays } = fixture<Recording>("r3l_release.json");

function taskOf({ coordinates }: { readonly coordinates: GameCoordinates }): Task {
  const file = gameOf("official", coordinates) as unknown as Json;
  return { id: "release", kind: "test", payload: { game: "inline", file, maxTurns: releaseMaxTurns } };
}

/** Plays replies from the turn that is current and compares what the policy is told. */
function follow(env: ReleaseHousehold, first: ReturnType<ReleaseHousehold["reset"]>, play: Play): void {
  let turn = first;
  let reward = 0;
  play.replies.forEach((reply, k) => {
    assertEquals(turn.done, false, `turn ${k}`);
    assertEquals(releaseFormat.user(turn, k, ""), `${play.users[k]}\n\n${request}`, `turn ${k}`);
    turn = env.step(releaseFormat.action(reply));
    reward += turn.reward;
  });
  assertEquals([turn.done, reward, env.feedback()], [true, play.reward, play.feedback]);
  assertEquals(turn.won, play.reward === 1);
  assertEquals(env.step("look"), { ...turn, reward: 0 });
}

for (const play of plays) {
  Deno.test(`the authors' workflow says and decides the same: ${play.name}`, () => {
    const env = new ReleaseHousehold(true);
    const first = env.reset(taskOf(play));
    assertEquals(releaseFormat.system(taskOf(play)), system);
    if (play.retry === undefined) return follow(env, first, play);
    const snapshots = [env.snapshot()];
    for (const reply of play.replies.slice(0, play.retry.step)) {
      env.step(releaseFormat.action(reply));
      snapshots.push(env.snapshot());
    }
    const retry = new ReleaseHousehold(true);
    const restored = retry.restore(JSON.parse(JSON.stringify(snapshots[play.retry.step])));
    follow(retry, restored, play.retry);
  });
}

Deno.test("without its oddities a retry obeys the rules of a first attempt", () => {
  for (const { retry, ...play } of plays) {
    if (retry === undefined) continue;
    const env = new ReleaseHousehold();
    env.reset(taskOf(play));
    const snapshot = env.snapshot();
    const slip = retry.replies.find((reply) => isFault(releaseFormat.action(reply)));
    if (slip === undefined) continue;
    env.restore(snapshot);
    assertEquals(env.step(releaseFormat.action(slip)).done, true);
    assertEquals(env.verdict(), { outcome: "unparseable", category: "bad_format", answer: null });
  }
});

Deno.test("guidance stands before the user message", () => {
  const env = new ReleaseHousehold();
  const turn = env.reset(taskOf(plays[0]));
  assertEquals(
    releaseFormat.user(turn, 0, "Look twice."),
    `# Previous Attempt Analysis & Guidance\nLook twice.\n\n${turn.observation}`,
  );
});

Deno.test("the oracle wins within 25 turns, from any snapshot, and verdicts are told apart", () => {
  for (let index = 0; index < 5; index++) {
    const task = householdTasks({ level: 1, maxTurns: releaseMaxTurns }).task("train", index) as Task;
    const env = new ReleaseHousehold();
    env.reset(task);
    env.step("inventory");
    const saved = env.snapshot();
    const print = env.fingerprint();
    const turns = env.oracle().map((command) => env.step(command));
    assertEquals([turns.at(-1)!.won, env.verdict().category], [true, "ok"]);
    assertNotEquals(env.fingerprint(), print);
    env.restore(saved);
    assertEquals(env.fingerprint(), print);
    env.step("dance");
    assertEquals(env.verdict().category, "not_admissible");
    env.restore(saved);
    const repeated = [0, 1].map(() => env.step("inventory"));
    assertEquals([repeated.at(-1)!.done, env.verdict().category], [true, "repeated"]);
  }
});

Deno.test("any reply is an action or a fault, and any text is a step", () => {
  const task = householdTasks({ level: 0, maxTurns: 25 }).task("train", 0) as Task;
  const env = new ReleaseHousehold();
  const tags = ["<think>", "</think>", "<action>", "</action>", "look", "\n", "<"];
  const replies = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(fc.constantFrom(...tags), { maxLength: 12 }).map((parts) => parts.join("")),
  );
  fc.assert(fc.property(replies, (reply) => {
    const read = readReply(reply);
    assert("action" in read || isFault(read.fault));
    env.reset(task);
    const turn = env.step(releaseFormat.action(reply));
    assertEquals(turn.done, !("action" in read) || !["look", "inventory", "help"].includes(read.action));
  }));
  const long = "<think>".repeat(200_000);
  assertEquals("fault" in readReply(long), true);
});

Deno.test("a snapshot of another kind is an error", () => {
  for (const snapshot of [null, {}, { version: 1 }, { version: 2, now: {}, inner: {} }]) {
    assertThrows(() => new ReleaseHousehold().restore(snapshot as Json), EnvError, "snapshot version");
  }
});
