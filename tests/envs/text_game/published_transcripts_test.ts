import { assert, assertEquals } from "@std/assert";
import { type GameFile, readGameFile } from "../../../envs/text_game/game_file.ts";
import { TextGame } from "../../../envs/text_game/text_game.ts";
import { fixture, potatoPath } from "./_games.ts";

interface Transcript {
  contents_by_receptacle?: Record<string, string[]>;
  steps?: [string, string][];
  intro?: string;
}

const transcripts = fixture<Transcript[]>("published_transcripts.json");

Deno.test("things, numbers and places are those of the published transcript, and its plan wins", () => {
  const game = new TextGame(readGameFile(potatoPath), "potato");
  const contents = transcripts.find((t) => t.contents_by_receptacle)!.contents_by_receptacle!;
  for (const [receptacle, things] of Object.entries(contents)) {
    const { observation } = game.step(game.world.start, `go to ${receptacle}`);
    assert(
      observation.startsWith(`You arrive at ${receptacle}. On the ${receptacle}, you see `),
      observation,
    );
    assertEquals([...observation.matchAll(/\ba ([a-z]+ \d+)/g)].map((m) => m[1]).sort(), [...things].sort());
  }
  let state = game.world.start;
  const play = (command: string) => {
    const next = game.step(state, command);
    state = next.state;
    return next.observation;
  };
  play("go to countertop 2");
  assertEquals(play("take potato 1 from countertop 2"), "You pick up the potato 1 from the countertop 2.");
  assertEquals(play("go to microwave 1"), "You arrive at microwave 1. The microwave 1 is closed.");
  assertEquals(play("heat potato 1 with microwave 1"), "You heat the potato 1 using the microwave 1.");
  play("go to sinkbasin 1");
  assert(!game.world.won(state));
  assertEquals(play("move potato 1 to sinkbasin 1"), "You move the potato 1 to the sinkbasin 1.");
  assert(game.world.won(state));
});

/**
 * The published logs are of games whose files are not at hand. A small game made
 * from what a log shows must answer the log's commands with the log's texts.
 */
for (const { intro, steps } of transcripts.filter((t) => t.steps)) {
  const sentence = /Your task is to: (.*)\.$/.exec(intro!)![1];
  Deno.test(`a game made from a published log says what the log says: ${sentence}`, () => {
    const game = new TextGame(gameFromLog(intro!, steps!), "log");
    assertEquals(game.intro(), intro);
    let state = game.world.start;
    for (const [command, text] of steps!) {
      const next = game.step(state, command);
      assertEquals(next.observation, text, command);
      state = next.state;
    }
  });
}

/** Receptacles of the intro, and in each the things that the log first shows there. */
function gameFromLog(intro: string, steps: readonly (readonly [string, string])[]): GameFile {
  const official = readGameFile(potatoPath);
  const names = (text: string) => [...text.matchAll(/\ba ([a-z]+ \d+)/g)].map((m) => m[1]);
  const receptacles = names(intro);
  // A thing can be in two receptacles, as where a holder stands on a countertop.
  const places = new Map<string, Set<string>>();
  const moved = new Set<string>();
  for (const [command, text] of steps) {
    const seen = /(?:On the|The) ([a-z]+ \d+)(?: is open. In it)?, you see (.*)\.$/.exec(text);
    for (const thing of seen ? names(seen[2]) : []) {
      if (!moved.has(thing)) places.set(thing, (places.get(thing) ?? new Set()).add(seen![1]));
    }
    const move = /^move (.+) to /.exec(command);
    if (move) moved.add(move[1]);
  }
  const shut = (r: string) => /^(cabinet|drawer|fridge|microwave)/.test(r);
  // Ids count down while numbers count up; gaps in the numbers are filled with things that lie nowhere.
  const most = new Map<string, number>();
  for (const name of [...receptacles, ...places.keys()]) {
    const [type, number] = name.split(" ");
    most.set(type, Math.max(most.get(type) ?? 0, Number(number)));
  }
  const id = (name: string) => {
    const [type, number] = name.split(" ");
    const rank = String(most.get(type)! - Number(number)).padStart(2, "0");
    return type.endsWith("basin") ? `${type.slice(0, -5)}_bar_${rank}_bar_${type}` : `${type}_bar_${rank}`;
  };
  const types = [...most.keys()];
  const things = types.filter((t) => !receptacles.some((r) => r.startsWith(t + " ")))
    .flatMap((t) => Array.from({ length: most.get(t)! }, (_, i) => `${t} ${i + 1}`));
  const init = [
    "(atlocation agent1 start)",
    ...receptacles.flatMap((r) => [
      `(receptacleatlocation ${id(r)} at_${id(r)})`,
      `(receptacletype ${id(r)} ${r.split(" ")[0]}type)`,
      shut(r) ? `(openable ${id(r)})` : "",
    ]),
    ...things.flatMap((t) => [
      `(objecttype ${id(t)} ${t.split(" ")[0]}type)`,
      `(pickupable ${id(t)}) (heatable ${id(t)})`,
      ...[...places.get(t) ?? []].map((r) => `(inreceptacle ${id(t)} ${id(r)})`),
    ]),
    ...receptacles.flatMap((r) => types.map((t) => `(cancontain ${r.split(" ")[0]}type ${t}type)`)),
  ];
  const declared = [
    ...receptacles.flatMap((r) => [`${id(r)} - receptacle`, `at_${id(r)} - location`]),
    ...things.map((t) => `${id(t)} - object`),
    ...types.map((t) => `${t}type - ${things.some((o) => o.startsWith(t + " ")) ? "otype" : "rtype"}`),
  ];
  return {
    pddl_domain: official.pddl_domain,
    grammar: official.grammar.replace(/Your task is to: [^.]*\./, /Your task is to: .*$/.exec(intro)![0]),
    pddl_problem: `(define (problem log) (:domain alfred) (:objects agent1 - agent start - location ${
      declared.join(" ")
    }) (:init ${init.join(" ")}) (:goal (holdsany agent1)))`,
  };
}
