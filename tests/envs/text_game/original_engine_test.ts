import { assert, assertEquals } from "@std/assert";
import type { GameCoordinates } from "../../../envs/household/generate/generate_game.ts";
import { TextGame } from "../../../envs/text_game/text_game.ts";
import { fixture, gameOf } from "./_games.ts";

type RecordedTurn = [action: string | null, text: number, won: 0 | 1, added: number[], removed: number[]];

interface Play {
  readonly game: string;
  /** Task type, where the plays were chosen by it. */
  readonly kind?: string;
  readonly coordinates?: GameCoordinates;
  readonly turns: readonly RecordedTurn[];
}

interface Recording {
  readonly texts: readonly string[];
  readonly commands: readonly string[];
  readonly plays: readonly Play[];
}

const recording = fixture<Recording>("original_engine.json");
const walks = fixture<Recording>("original_engine_walks.json");

/** Plays a recording again and compares every text, list of commands and verdict. */
function compare({ game, coordinates, turns }: Play, { texts, commands }: Recording): void {
  const played = new TextGame(gameOf(game, coordinates), game);
  let state = played.world.start;
  const admissible = new Set<number>();
  turns.forEach(([action, text, won, added, removed], i) => {
    let observation: string;
    if (action === null) observation = played.intro();
    else ({ state, observation } = played.step(state, action));
    const where = `${game} ${JSON.stringify(coordinates ?? "")}, turn ${i}: ${action}`;
    assertEquals(observation, texts[text], where);
    added.forEach((c) => admissible.add(c));
    removed.forEach((c) => admissible.delete(c));
    const listed = [...admissible].map((c) => commands[c]).sort();
    assertEquals([...played.commands(state).keys()], listed, where);
    assertEquals(played.world.won(state), won === 1, where);
  });
}

for (const game of ["potato", "textworld", "generated", "official"]) {
  Deno.test(`every text, list and verdict is the original engine's: ${game}`, () => {
    const recorded = recording.plays.filter((play) => play.game === game);
    assert(recorded.length > 0);
    recorded.forEach((play) => compare(play, recording));
  });
}

const kinds = [
  "pick_and_place_simple",
  "look_at_obj_in_light",
  "pick_clean_then_place_in_recep",
  "pick_heat_then_place_in_recep",
  "pick_cool_then_place_in_recep",
  "pick_two_obj_and_place",
];

for (const kind of kinds) {
  Deno.test(`twenty random walks by ALFWorld's rules are the original engine's: ${kind}`, () => {
    const recorded = walks.plays.filter((play) => play.kind === kind);
    assertEquals(recorded.length, 20);
    recorded.forEach((play) => compare(play, walks));
  });
}
