import { assert, assertEquals, assertNotEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import type { Json, Task, Turn } from "../../../envs/env.ts";
import { parseAction } from "../../../envs/shop/action.ts";
import { shopKinds } from "../../../envs/shop/generate/kinds.ts";
import { judge } from "../../../envs/shop/judge.ts";
import { indexPage, type Session, shownResults } from "../../../envs/shop/session.ts";
import { Shop } from "../../../envs/shop/shop.ts";
import { generatedShop } from "../../../envs/shop/shop_world.ts";
import { shopTasks } from "../../../envs/shop/tasks.ts";
import { shopFormat } from "../../../envs/shop/format.ts";
import { EnvError } from "../../../stages/errors.ts";

const taskOf = (level: number, index: number, split: "train" | "valid" | "test" = "valid") =>
  shopTasks({ level }).task(split, index) as Task;

/** Plays a mix of clicks, searches and any text. */
const moves = fc.array(fc.tuple(fc.nat(), fc.string({ unit: "binary", maxLength: 12 })), { maxLength: 10 });

function command(turn: Turn, [n, text]: readonly [number, string]): string {
  if (n % 5 === 0) return `search[${text}]`;
  if (n % 7 === 0) return text;
  const clicks = turn.admissible!.filter((label) => label !== "click[buy now]");
  return clicks[n % clicks.length] ?? "search[a]";
}

Deno.test("an action is the last name[argument] of its first line", () => {
  assertEquals(parseAction("search[a b]"), { name: "search", argument: "a b" });
  assertEquals(parseAction("click[A] and so on"), { name: "click", argument: "a" });
  assertEquals(parseAction("click[a] click[b]"), { name: "click[a] click", argument: "b" });
  assertEquals(parseAction("x\nclick[a]"), null);
  for (const text of ["", "click", "click[]", "[a]", "click[a", "a]b["]) {
    assertEquals(parseAction(text), null);
  }
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => {
    const found = /^([^\n]+)\[([^\n]+)\]/.exec(text);
    const expected = found === null ? null : { name: found[1], argument: found[2].toLowerCase() };
    assertEquals(parseAction(text), expected);
  }));
  parseAction("[".repeat(1_000_000) + "]");
});

Deno.test("the oracle wins from the start and from wherever a walk has led", () => {
  for (const level of [0, 1, 2]) {
    fc.assert(
      fc.property(fc.nat(500), moves, (index, walk) => {
        const task = taskOf(level, index);
        const env = new Shop();
        let turn = env.reset({ ...task, payload: { ...task.payload as object, maxTurns: 40 } as Json });
        for (const move of walk) turn = env.step(command(turn, move));
        const commands = env.oracle();
        assert(commands.length > 0 && commands.length <= 12);
        for (const each of commands) turn = env.step(each);
        assertEquals([turn.won, turn.reward, env.feedback()], [true, 1, "Success."]);
        assertEquals(env.oracle(), []);
      }),
      { numRuns: 40 },
    );
  }
});

Deno.test("snapshots restore the visit, through JSON, and do not alias", () => {
  fc.assert(
    fc.property(fc.nat(500), moves, moves, (index, walk, more) => {
      const env = new Shop();
      let turn = env.reset(taskOf(1, index));
      for (const move of walk) turn = env.step(command(turn, move));
      const saved = JSON.stringify(env.snapshot());
      const print = env.fingerprint();
      const play = (from: Turn) => {
        const said = [from];
        for (const move of more) said.push(env.step(command(said[said.length - 1], move)));
        return said;
      };
      const straight = play(turn);
      assertEquals(env.restore(JSON.parse(saved)), { ...turn });
      assertEquals([env.fingerprint(), JSON.stringify(env.snapshot())], [print, saved]);
      assertEquals(play(turn), straight);
    }),
    { numRuns: 60 },
  );
});

Deno.test("what is no command changes nothing, takes a turn and earns nothing", () => {
  fc.assert(
    fc.property(fc.nat(300), fc.string({ unit: "binary" }), (index, text) => {
      fc.pre(parseAction(text) === null);
      const env = new Shop();
      const first = env.reset(taskOf(1, index));
      const print = env.fingerprint();
      assertEquals({ ...env.step(text) }, { ...first });
      assertEquals(env.fingerprint(), print);
      assertEquals((env.snapshot() as Record<string, Json>).turns, 1);
    }),
  );
});

Deno.test("every click on offer is accepted; options survive sub pages and die on a search", () => {
  const env = new Shop();
  const { catalogue } = generatedShop({ split: "valid", index: 3, level: 2 });
  const session = () => (env.snapshot() as Record<string, Json>).session as unknown as Session;
  let turn = env.reset(taskOf(2, 3));
  const number = [...Array(catalogue.size).keys()].find((n) => catalogue.product(n).options.length === 2)!;
  const { asin, title, options } = catalogue.product(number);
  turn = env.step(`search[${title}]`);
  assert(turn.admissible!.includes(`click[${asin.toLowerCase()}]`), title);
  env.step(`click[${asin}]`);
  env.step(`click[${options[0].values[1]}]`);
  env.step("click[features]");
  turn = env.step("click[< prev]");
  assertEquals(session().options, [[options[0].name, options[0].values[1]]]);
  assert(turn.observation.startsWith(`You have clicked ${options[0].values[1]}.\n`));
  turn = env.step("click[< prev]");
  assertEquals([session().page, session().options], ["search_results", []]);
  assert(turn.observation.includes(`[clicked button] ${asin} [clicked button_]`));
  turn = env.step("click[back to search]");
  assertEquals(session(), indexPage);
  for (const label of turn.admissible!) assertNotEquals(env.step(label).observation, turn.observation);
});

Deno.test("pages of results are disjoint, at most fifty in all, and may be turned past the end", () => {
  const { catalogue } = generatedShop({ split: "valid", index: 0, level: 3 });
  const page = (number: number): Session => ({
    ...indexPage,
    page: "search_results",
    keywords: ["desk"],
    number,
  });
  const all = [1, 2, 3, 4, 5].flatMap((number) => shownResults(page(number), catalogue));
  assertEquals([new Set(all).size, all.length], [50, 50]);
  assertEquals(shownResults(page(6), catalogue), []);
});

Deno.test("a visit ends at the limit without a purchase, and nothing changes after the end", () => {
  const env = new Shop();
  let turn = env.reset(taskOf(0, 1));
  for (let k = 0; k < 10; k++) turn = env.step("search[mug]");
  assertEquals([turn.done, turn.truncated, turn.won, turn.score], [true, true, false, 0]);
  assertEquals([env.feedback(), env.verdict().category], ["Failure: not bought.", "not_bought"]);
  assertEquals(env.step("search[lamp]"), { ...turn, reward: 0 });
});

Deno.test("verdicts name the first unmet condition", () => {
  const said = new Set<string>();
  for (let index = 0; index < 60; index++) {
    const { catalogue, goal } = generatedShop({ split: "valid", index, level: 1 });
    for (let number = 0; number < catalogue.size; number++) {
      const env = new Shop();
      env.reset(taskOf(1, index));
      env.step(`search[${catalogue.product(number).title}]`);
      env.step(`click[${catalogue.product(number).asin}]`);
      const turn = env.step("click[buy now]");
      const session: Session = { ...indexPage, page: "done", asin: catalogue.product(number).asin };
      const outcome = judge(session, goal, catalogue);
      assertEquals(turn.reward, outcome.reward);
      assertEquals(turn.won, env.feedback() === "Success.");
      said.add(env.verdict().category);
      if (env.verdict().category === "attribute_missing") {
        assertEquals(env.feedback(), `Failure: not ${goal.attributes[0]}.`);
      }
    }
  }
  const all = ["ok", "attribute_missing", "option_missing", "too_expensive", "wrong_product"];
  assertEquals([...said].sort(), all.sort());
});

Deno.test("only the target earns 1 in a small shop, and no wish is in two splits", () => {
  const seen = new Map<string, string>();
  for (const split of ["train", "valid", "test"] as const) {
    for (let index = 0; index < 150; index++) {
      const { catalogue, goal, kind } = generatedShop({ split, index, level: 1 });
      const wish = JSON.stringify([kind, goal.query, goal.attributes, goal.goal_options]);
      assertEquals(seen.get(wish) ?? split, split);
      seen.set(wish, split);
      for (let number = 0; number < catalogue.size; number++) {
        const { asin, options } = catalogue.product(number);
        const chosen = options.flatMap(({ name, values }) => {
          const wanted = (goal.goal_options as Record<string, string>)[name];
          return values.includes(wanted) ? [[name, wanted] as const] : [];
        });
        const { reward } = judge({ ...indexPage, page: "done", asin, options: chosen }, goal, catalogue);
        assertEquals(reward === 1, asin === goal.asin, `${split} ${index} ${asin}`);
      }
    }
  }
});

Deno.test("random clicks rarely win, kinds can be chosen, and what a level lacks is an error", () => {
  let won = 0;
  for (let index = 0; index < 200; index++) {
    const env = new Shop();
    let turn = env.reset(taskOf(1, index));
    let state = index;
    while (!turn.done) {
      state = (state * 1103515245 + 12345) % 2147483648;
      turn = env.step(
        turn.admissible!.length > 0 ? turn.admissible![state % turn.admissible!.length] : "search[a]",
      );
    }
    won += Number(turn.won);
  }
  assert(won < 10, `${won} of 200`);
  for (const kind of shopKinds) {
    const tasks = shopTasks({ level: 1, kinds: { [kind]: 1 } });
    assertEquals([1, 2, 3].map((index) => (tasks.task("train", index) as Task).kind), [kind, kind, kind]);
  }
  assertThrows(
    () => shopTasks({ level: 0, kinds: { feature: 1 } }).task("train", 0),
    RangeError,
    "no kind feature",
  );
  assertThrows(() => shopTasks({ level: 4 }).task("train", 0), RangeError, "level is 4");
});

Deno.test("a payload or snapshot that does not fit is an EnvError that says why", () => {
  const env = new Shop();
  const payload = taskOf(1, 0).payload as Record<string, Json>;
  const reset = (change: Record<string, Json>) => () =>
    env.reset({ id: "x", kind: "x", payload: { ...payload, ...change } });
  assertThrows(reset({ version: 99 }), EnvError, "version 99");
  assertThrows(reset({ maxTurns: 0 }), EnvError, "maxTurns is 0");
  assertThrows(reset({ mode: "html" }), EnvError, "mode is html");
  assertThrows(reset({ shop: "given", goal: {} }), EnvError, "needs the catalogue");
  assertThrows(() => env.step("x"), EnvError, "no episode");
  env.reset(taskOf(1, 0));
  const saved = env.snapshot() as Record<string, Json>;
  assertThrows(() => env.restore({ ...saved, version: 0 }), EnvError, "version 0");
  assertThrows(
    () => env.restore({ ...saved, session: { ...saved.session as object, page: "x" } }),
    EnvError,
    "page",
  );
  assertThrows(() => env.restore({ ...saved, turns: -1 }), EnvError, "turns is -1");
});

Deno.test("the format shows the instruction once, in both modes, and reads commands back", () => {
  for (const mode of ["text_rich", "text"] as const) {
    const env = new Shop();
    const tasks = shopTasks({ level: 1, mode, kinds: { option: 1 } });
    let turn = env.reset(tasks.task("valid", 5) as Task);
    const commands = env.oracle();
    const said = [shopFormat.user(turn, 0, "")];
    commands.slice(0, -1).forEach((each, k) => {
      turn = env.step(shopFormat.action(` ${each}\n`));
      said.push(shopFormat.user(turn, k + 1, k === 0 ? "look" : ""));
    });
    assertEquals(said.map((text) => text.includes("find me")), said.map((_, k) => k === 0));
    assert(said[1].includes("\nGuidance: look\nstep:1"));
    assert(said.at(-1)!.includes("Back to Search") && said.at(-1)!.endsWith(`step:${said.length - 1}`));
  }
});
