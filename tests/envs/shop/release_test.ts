import { assert, assertEquals, assertThrows } from "@std/assert";
import type { Task } from "../../../envs/env.ts";
import { checkAction } from "../../../envs/shop/release/check_action.ts";
import { badReply, readReply } from "../../../envs/shop/release/read_reply.ts";
import { releaseFormat } from "../../../envs/shop/release/release_format.ts";
import { releaseUser } from "../../../envs/shop/release/release_prompt.ts";
import { ReleaseShop } from "../../../envs/shop/release/release_shop.ts";
import { shopTasks } from "../../../envs/shop/tasks.ts";
import { EnvError } from "../../../stages/errors.ts";
import { fixture } from "./_fixture.ts";

interface Release {
  readonly replies: readonly (readonly [string, string | null])[];
  readonly actions: readonly (readonly [string, boolean, readonly string[], string | null])[];
  readonly messages: readonly (readonly [string, boolean, readonly string[], string])[];
}
const release = fixture<Release>("release.json");

Deno.test("replies, actions and messages are read and written as the release does", () => {
  for (const [reply, action] of release.replies) assertEquals(readReply(reply), action ?? badReply, reply);
  for (const [action, hasSearchBar, clickables, fault] of release.actions) {
    assertEquals(checkAction(action, { hasSearchBar, clickables }), fault, action);
  }
  for (const [page, hasSearchBar, clickables, message] of release.messages) {
    assertEquals(releaseUser(page, { hasSearchBar, clickables }), message);
  }
  readReply("<think>".repeat(200_000) + "</think>".repeat(200_000));
});

const task = shopTasks({ level: 1, kinds: { option: 1 }, maxTurns: 15 }).task("valid", 2) as Task;
const say = (action: string) => releaseFormat.action(`<think>so</think>\n<action>${action}</action>`);

function started(...actions: readonly string[]) {
  const env = new ReleaseShop();
  let turn = env.reset(task);
  for (const action of actions) turn = env.step(action);
  return { env, turn };
}

Deno.test("the oracle's replies win, from every page", () => {
  for (const actions of [[], ["search[lamp]"], ["click[nothing]", "search[a]"]]) {
    const { env, turn } = started(...actions);
    let last = turn;
    for (const reply of env.oracle()) last = env.step(releaseFormat.action(reply));
    assertEquals([last.won, last.reward, last.score], [true, 1, 1]);
    assert(
      env.feedback().startsWith("Shopping task completed successfully (reward: 1.0/1.0), and satisfying"),
    );
    assertEquals(env.verdict().outcome, "right");
  }
});

Deno.test("a bad reply and a repeated click end the episode at -0.1; searches and turned pages may repeat", () => {
  const bad = started(releaseFormat.action("click[a]"));
  assertEquals([bad.turn.done, bad.turn.reward, bad.env.feedback()], [true, -0.1, badReply]);
  assertEquals(bad.env.verdict().outcome, "unparseable");
  assertEquals(bad.env.step(say("search[a]")), { ...bad.turn, reward: 0 });
  const again = started("search[a]", say("click[nope]"), say("click[nope]"));
  assertEquals([again.turn.done, again.turn.reward], [true, -0.1]);
  assertEquals(again.env.verdict().category, "repeated");
  const turned = started("search[shirt]", "click[next >]", "click[next >]", "click[< prev]", "click[< prev]");
  assertEquals(turned.turn.done, false);
});

Deno.test("an action that the page does not offer is told what is wrong, and is worth -0.1 at the limit only", () => {
  const { env, turn } = started("search[shirt]", "search[shirt]");
  assert(
    turn.observation.startsWith("Environment Observation: Cannot perform search action without search bar."),
  );
  assertEquals([turn.reward, turn.done], [0, false]);
  let last = turn;
  let total = 0;
  for (let k = 0; !last.done; k++) total += (last = env.step(k % 2 === 0 ? "click[x]" : "click[y]")).reward;
  assertEquals([total, last.truncated, last.won], [-0.1, true, false]);
  assert(
    env.feedback().startsWith(
      "Shopping task not completed (reward: -0.1/1.0), and exceeded the step limit (15/15",
    ),
  );
});

Deno.test("a restored episode goes on as the saved one, repetitions included", () => {
  const { env, turn } = started("search[shirt]", "click[nope]");
  const saved = JSON.parse(JSON.stringify(env.snapshot()));
  const next = env.step("click[nope]");
  const other = new ReleaseShop();
  other.reset(task);
  assertEquals(other.restore(saved), { ...turn });
  assertEquals(other.step("click[nope]"), next);
  assertThrows(() => other.restore({ version: 0 }), EnvError, "version 0");
});
