import { assert, assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import { RemoteEnv } from "../../../envs/remote/remote_env.ts";
import { RemoteFault } from "../../../envs/remote/remote_fault.ts";
import type { RemoteAnswer, RemoteSession } from "../../../envs/remote/remote_session.ts";
import { EnvError } from "../../../stages/errors.ts";

const task = { id: "remote/train/3", kind: "remote", payload: { data: { seed: 3 }, maxTurns: 6 } };

/** A counter that is won at 3; `noise` makes its texts differ from one episode to the next. */
class CounterSession implements RemoteSession {
  count = 0;
  episodes = 0;
  readonly asked: string[] = [];
  constructor(readonly noise: (count: number, episode: number) => string = () => "") {}

  reach(): Promise<void> {
    return Promise.resolve();
  }

  reset(): Promise<RemoteAnswer> {
    this.count = 0;
    this.episodes++;
    return Promise.resolve(this.#answer(0));
  }

  step(action: string): Promise<RemoteAnswer> {
    this.asked.push(action);
    if (action === "bad") return Promise.reject(new RemoteFault("bad_action", "no such command"));
    if (action === "crash") return Promise.reject(new RemoteFault("failed", "it broke"));
    if (action === "+") this.count++;
    return Promise.resolve(this.#answer(this.count === 3 ? 1 : 0));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #answer(reward: number): RemoteAnswer {
    const observation = `count ${this.count}${this.noise(this.count, this.episodes)}`;
    return { observation, reward, score: null, done: this.count === 3 };
  }
}

const rules = { wonScore: 1, errors: "fail" } as const;

Deno.test("an episode: rewards add up to the score, the end stays the end", async () => {
  const session = new CounterSession();
  const env = new RemoteEnv(session, rules);
  assertEquals((await env.reset(task)).observation, "count 0");
  assertEquals(env.feedback(), "Failure: score 0.");
  for (const action of ["+", "-", "+"]) assertEquals((await env.step(action)).done, false);
  const last = await env.step("+");
  assertEquals(last, {
    observation: "count 3",
    reward: 1,
    score: 1,
    done: true,
    won: true,
    truncated: false,
  });
  assertEquals(await env.step("+"), { ...last, reward: 0 });
  assertEquals(session.asked.length, 4);
  assertEquals(env.feedback(), "Success.");
});

Deno.test("turns run out: truncated, not won", async () => {
  const env = new RemoteEnv(new CounterSession(), rules);
  await env.reset(task);
  for (let i = 0; i < 5; i++) assertEquals((await env.step("-")).done, false);
  const { done, won, truncated } = await env.step("-");
  assertEquals({ done, won, truncated }, { done: true, won: false, truncated: true });
  assertEquals(env.feedback(), "Failure: out of turns.");
});

Deno.test("restoring replays to the same turn, fingerprint and future, also after JSON", async () => {
  const action = fc.constantFrom("+", "-", "bad");
  await fc.assert(
    fc.asyncProperty(
      fc.array(action, { maxLength: 4 }),
      fc.array(action, { maxLength: 3 }),
      async (past, future) => {
        const env = new RemoteEnv(new CounterSession(), rules);
        let turn = await env.reset(task);
        for (const one of past) if (!turn.done) turn = await env.step(one);
        const saved = JSON.parse(JSON.stringify(env.snapshot()));
        const print = env.fingerprint();
        const other = new RemoteEnv(new CounterSession(), rules);
        assertEquals(await other.restore(saved), turn);
        assertEquals(other.fingerprint(), print);
        for (const one of future) assertEquals(await other.step(one), await env.step(one));
      },
    ),
  );
});

Deno.test("a replay that answers otherwise is an error that says where", async () => {
  for (const at of [0, 1, 2]) {
    const session = new CounterSession((count, episode) => count >= at ? `, episode ${episode}` : "");
    const env = new RemoteEnv(session, rules);
    await env.reset(task);
    for (let i = 0; i < 2; i++) await env.step("+");
    const error = await assertRejects(() => env.restore(env.snapshot()), EnvError, "not deterministic");
    assertEquals(error.divergedAt, at);
    assertEquals(error.operation, "restore");
  }
});

Deno.test("what the server refuses takes a turn; where it fails, the rule decides", async () => {
  const env = new RemoteEnv(new CounterSession(), rules);
  await env.reset(task);
  const refused = await env.step("bad");
  assertEquals(refused.observation, "Invalid action: no such command");
  assertEquals([refused.reward, refused.done], [0, false]);
  const error = await assertRejects(() => env.step("crash"), EnvError, "cannot step: it broke");
  assertEquals([error.environment, error.task, error.divergedAt], ["remote", task.id, undefined]);
  const lenient = new RemoteEnv(new CounterSession(), { ...rules, errors: "answer" });
  await lenient.reset(task);
  assertEquals((await lenient.step("crash")).observation, "Invalid action: it broke");
});

Deno.test("a snapshot of another kind, or a step before any reset, is an error", async () => {
  const env = new RemoteEnv(new CounterSession(), rules);
  await assertRejects(() => env.step("+"), EnvError, "no episode has been reset");
  for (const snapshot of [null, {}, { version: 2 }, { version: 1, task: { id: "x" }, played: [] }]) {
    await assertRejects(() => env.restore(snapshot), EnvError);
  }
  const broken = { ...task, payload: { maxTurns: 3 } };
  assert((await assertRejects(() => env.reset(broken), EnvError)).message.includes("lacks its reset data"));
});
