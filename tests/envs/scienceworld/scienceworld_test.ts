import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import type { Task, Turn } from "../../../envs/env.ts";
import { ScienceWorld, type ScienceWorldReward } from "../../../envs/scienceworld/scienceworld.ts";
import { SimulatorPool } from "../../../envs/scienceworld/simulator_pool.ts";
import { EnvError } from "../../../stages/errors.ts";
import { type Flaw, recordedSimulator } from "./_recorded.ts";

const payload = { task: "find-living-thing", variation: 3, simplifications: "easy", maxTurns: 100 };
const task: Task = { id: "scienceworld/find-living-thing/3", kind: "find-living-thing", payload };

/** A pool whose first simulators have flaws, and how many were started and stopped. */
function poolOf(size = 1, flaws: readonly (Flaw | undefined)[] = [], limitMs = 2000) {
  const count = { started: 0, stopped: 0 };
  const pool = new SimulatorPool({
    start: () => recordedSimulator(flaws[count.started++], () => count.stopped++),
    size,
    limitMs,
  });
  return { pool, count };
}

function make(pool: SimulatorPool, more: { reward?: ScienceWorldReward; gold?: boolean; jar?: string } = {}) {
  return new ScienceWorld({ pool, reward: "score", jar: "recorded", ...more });
}

async function play(env: ScienceWorld, commands: readonly string[]): Promise<Turn[]> {
  const turns: Turn[] = [];
  for (const command of commands) turns.push(await env.step(command));
  return turns;
}

Deno.test("the gold commands reach 1; rewards add up to the score", async () => {
  const { pool } = poolOf();
  const env = make(pool, { gold: true });
  const first = await env.reset(task);
  assert(first.observation.startsWith("Your task is to find a(n) living thing."), first.observation);
  assert(first.observation.includes("This "), first.observation);
  const gold = env.oracle();
  assertEquals(gold.length, 6);
  const turns = [first, ...await play(env, gold)];
  const last = turns[turns.length - 1];
  assertEquals([last.score, last.won, last.done, last.truncated], [1, true, true, false]);
  assert(Math.abs(turns.reduce((sum, { reward }) => sum + reward, 0) - 1) < 1e-9);
  assertEquals(env.feedback(), "Success.");
  assertEquals(await env.step("wait"), { ...last, reward: 0 });
  assertEquals(env.oracle(), []);
});

Deno.test("by the release's rule the same episode gets its largest gain, and is not won", async () => {
  const scores: number[] = [];
  const plain = make(poolOf().pool, { gold: true });
  scores.push((await plain.reset(task)).score);
  for (const turn of await play(plain, plain.oracle())) scores.push(turn.score);
  const largest = Math.max(...scores.slice(1).map((score, i) => score - scores[i]));

  const env = make(poolOf().pool, { gold: true, reward: "largest_change" });
  const turns = [await env.reset(task), ...await play(env, env.oracle())];
  const last = turns[turns.length - 1];
  assert(Math.abs(last.score - largest) < 1e-9, `${last.score} of ${scores}`);
  assert(last.score < 1 && !last.won && last.done);
  assert(Math.abs(turns.reduce((sum, { reward }) => sum + reward, 0) - last.score) < 1e-9);
});

Deno.test("a wrong focus ends the episode with -1; what is no command is answered so", async () => {
  const env = make(poolOf().pool);
  await env.reset(task);
  const wrong = await env.step("focus on axe");
  assertEquals([wrong.score, wrong.done, wrong.won], [-1, true, false]);
  assertEquals(env.feedback(), "Failure: wrong focus.");
  const other = make(poolOf().pool);
  await other.reset(task);
  const unknown = await other.step("fly to the moon");
  assertEquals(unknown.observation, "No known action matches that input.");
  assertEquals([unknown.done, unknown.reward], [false, 0]);
});

Deno.test("a snapshot is restored by replaying, in another process and after JSON", async () => {
  const env = make(poolOf().pool, { gold: true });
  await env.reset(task);
  const gold = env.oracle();
  const turns = await play(env, gold.slice(0, 3));
  const saved = JSON.parse(JSON.stringify(env.snapshot()));
  const straight = await play(env, gold.slice(3));
  const other = make(poolOf().pool);
  assertEquals(await other.restore(saved), turns[2]);
  assertEquals(await play(other, gold.slice(3)), straight);
  assertEquals(other.fingerprint(), env.fingerprint());
});

Deno.test("a replay that is answered otherwise, another jar and nonsense are typed errors", async () => {
  const env = make(poolOf().pool, { gold: true });
  await env.reset(task);
  await play(env, env.oracle().slice(0, 2));
  const saved = env.snapshot() as { played: [string, string][] };
  const forged = { ...saved, played: saved.played.map(([a, h], i) => [a, i === 1 ? "0" : h]) };
  const error = await env.restore(forged).then(() => null, (e) => e);
  assert(error instanceof EnvError);
  assertEquals([error.operation, error.divergedAt], ["restore", 1]);
  await assertRejects(
    () => make(poolOf().pool, { jar: "other" }).restore(saved as never),
    EnvError,
    "jar recorded",
  );
  await assertRejects(() => env.restore({ version: 7 }), EnvError, "version 7");
  assertThrows(() => make(poolOf().pool).feedback(), EnvError, "no episode");
  const reset = (more: object) => () =>
    make(poolOf().pool).reset({ ...task, payload: { ...payload, ...more } });
  await assertRejects(reset({ maxTurns: 0 }), EnvError, "maxTurns is 0");
  await assertRejects(reset({ variation: -1 }), EnvError, "variation is -1");
  await assertRejects(reset({ task: "sing", variation: 0 }), EnvError, "sing");
});

Deno.test("the turn limit ends an episode of texts that take no move", async () => {
  const env = make(poolOf().pool);
  await env.reset({ ...task, payload: { ...payload, maxTurns: 2 } });
  const [, last] = await play(env, ["fly to the moon", ""]);
  assertEquals([last.truncated, last.done, last.won], [true, true, false]);
});

Deno.test("episodes share a simulator: each finds its own state again", async () => {
  const { pool, count } = poolOf(1);
  const a = make(pool, { gold: true });
  await a.reset(task);
  const gold = a.oracle();
  const alone = await play(a, gold);
  const [b, c] = [make(pool), make(pool)];
  await Promise.all([b.reset(task), c.reset(task)]);
  const turns: Turn[] = [];
  for (const command of gold) {
    const [one, two] = await Promise.all([b.step(command), c.step(command)]);
    assertEquals(one, two);
    turns.push(one);
  }
  assertEquals(turns, alone);
  assertEquals(count.started, 1);
});

for (const then of ["die", "hang"] as const) {
  Deno.test(`a process that ${then}s is a typed error, and the episode goes on in a fresh one`, async () => {
    // Construction, load, description, a step of four calls, then the fault.
    const { pool, count } = poolOf(1, [{ answers: 7, then }], 200);
    const env = make(pool);
    const first = await env.reset(task);
    const error = await env.step("fly to the moon").then(() => null, (e) => e);
    assert(error instanceof EnvError, String(error));
    assert(error.reason.includes(then === "die" ? "the connection ended" : "no answer within 200 ms"));
    assertEquals(count, { started: 1, stopped: 1 });
    assertEquals(env.feedback(), `Failure: score ${Math.round(first.score * 100)} of 100.`);
    assertEquals((await env.step("fly to the moon")).observation, "No known action matches that input.");
    assertEquals(count, { started: 2, stopped: 1 });
    await pool.close();
    assertEquals(count.stopped, 2);
    await assertRejects(() => env.step(""), EnvError, "stopped");
  });
}
