import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { isHolder } from "../../../envs/lab/catalog.ts";
import { paintName, type Parts } from "../../../envs/lab/paints.ts";
import { agent, type LabState } from "../../../envs/lab/world/lab_state.ts";
import { surroundings, temperatures, tick } from "../../../envs/lab/world/tick.ts";
import { points, rules } from "../../../envs/lab/world/progress.ts";
import { start, taskAt, walk } from "./_walk.ts";

/** Grams of everything that can be poured, in vessels and in soil. */
function mass({ contents, moisture }: LabState): number {
  const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);
  return sum(Object.values(contents).flat().map((p) => p.mass)) + sum(Object.values(moisture));
}

Deno.test("along random walks: one parent, mass kept by pouring and mixing, scores never fall but to -100", () => {
  for (let index = 0; index < 60; index++) {
    const { env, first } = start(taskAt(index % 4, 100 + index));
    let state = env.situation.state;
    let score = 0;
    walk(env, first, `world ${index}`, 30, (action, turn) => {
      const { world, state: next } = env.situation;
      for (const [thing, parent] of Object.entries(next.at)) {
        assert(parent === agent || world.rooms.includes(parent) || (isHolder(parent) && thing !== parent));
        if (isHolder(thing)) assertEquals(parent, state.at[thing]);
      }
      assertEquals(Object.keys(next.at), Object.keys(state.at));
      const grows = Object.values(next.growth).some((g) => g.age > 0 || g.stage > 0);
      if (/^(pour|mix)/.test(action) && !/fills/.test(turn.observation) && !grows) {
        assertEquals(mass(next), mass(state), action);
      }
      for (const [a, b] of next.wires) assert(a < b);
      const now = points(world, next);
      assert(now === -100 || now >= score, `${action}: ${score} to ${now}`);
      assertEquals(now === 100, turn.won);
      assertEquals(turn.score, now / 100);
      [state, score] = [next, Math.max(now, 0)];
    });
  }
});

Deno.test("a temperature moves towards its surroundings and never past them", () => {
  const { env } = start(taskAt(1, 2, { kinds: { boil: 1 } }));
  const { state } = env.situation;
  const [vessel] = Object.keys(state.contents);
  fc.assert(
    fc.property(
      fc.constantFrom("stove", "freezer", "table"),
      fc.boolean(),
      fc.integer({ min: -2000, max: 9000 }),
      (holder, active, temperature) => {
        const before: LabState = {
          ...state,
          at: { ...state.at, [vessel]: holder },
          on: active ? ["stove"] : [],
          open: active ? [] : ["freezer"],
          contents: { ...state.contents, [vessel]: [{ substance: "lead", mass: 100, temperature }] },
        };
        const target = temperatures[surroundings(before, vessel)];
        const after = tick(before).state.contents[vessel][0].temperature;
        assertEquals(Math.sign(after - temperature), Math.sign(target - temperature));
        assert(Math.abs(target - after) <= Math.abs(target - temperature));
        const expected = holder === "table" || !active ? 200 : holder === "stove" ? 5000 : -500;
        assertEquals(target, expected);
      },
    ),
    { numRuns: 200, seed: 3 },
  );
});

Deno.test("three minutes of stove melt lead: 20 degrees a tick from 20 to 327", () => {
  const { env } = start(taskAt(1, 2, { kinds: { boil: 1 } }));
  let { state } = env.situation;
  const [vessel] = Object.keys(state.contents);
  state = {
    ...state,
    at: { ...state.at, [vessel]: "stove" },
    on: ["stove"],
    room: "kitchen",
    contents: { ...state.contents, [vessel]: [{ substance: "lead", mass: 100, temperature: 200 }] },
  };
  const melted = Array.from({ length: 20 }, () => {
    const next = tick(state);
    state = next.state;
    return next.events.includes("The lead melts.");
  });
  assertEquals(melted.indexOf(true), Math.ceil((3270 - 200) / 200) - 1);
  assertEquals(melted.filter(Boolean).length, 1);
});

Deno.test("the sub-goals are worth 90 points and the hint 10, in every kind", () => {
  for (let index = 0; index < 60; index++) {
    const { ordered, hint } = rules(start(taskAt(index % 4, index)).env.situation.world);
    assertEquals(ordered.reduce((sum, { points }) => sum + points, 0) + hint.points, 100);
  }
});

Deno.test("paints are named by their ratio, whatever the mass", () => {
  const cases: readonly [Parts, string][] = [
    [[100, 0, 0], "red"],
    [[300, 300, 0], "orange"],
    [[0, 100, 100], "green"],
    [[50, 0, 50], "purple"],
    [[200, 100, 0], "vermilion"],
    [[0, 200, 400], "teal"],
    [[1, 1, 1], "brown"],
    [[3, 1, 0], "brown"],
  ];
  for (const [parts, name] of cases) assertEquals(paintName(parts), `${name} paint`);
});
