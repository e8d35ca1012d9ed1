import { assert, assertEquals } from "@std/assert";
import type { GameCoordinates } from "../../../envs/household/generate/generate_game.ts";
import { TextGame } from "../../../envs/text_game/text_game.ts";
import { fixture, gameOf } from "./_games.ts";

type RecordedTurn = [action: string | null, text: number, won: 0 | 1, added: number[], removed: number[]];

interface Recording {
  texts: string[];
  commands: string[];
  plays: { game: string; coordinates?: GameCoordinates; turns: RecordedTurn[] }[];
}

const { texts, commands, plays } = fixture<Recording>("original_engine.json");

for (const game of ["potato", "textworld", "generated", "official"]) {
  Deno.test(`every text, list and verdict is the original engine's: ${game}`, () => {
    const recorded = plays.filter((play) => play.game === game);
    assert(recorded.length > 0);
    for (const { coordinates, turns } of recorded) {
      const played = new TextGame(gameOf(game, coordinates), game);
      let state = played.world.start;
      let admissible = new Set<number>();
      turns.forEach(([action, text, won, added, removed], i) => {
        let observation: string;
        if (action === null) observation = played.intro();
        else ({ state, observation } = played.step(state, action));
        const where = `${game} ${JSON.stringify(coordinates ?? "")}, turn ${i}: ${action}`;
        assertEquals(observation, texts[text], where);
        admissible = new Set([...admissible, ...added].filter((c) => !removed.includes(c)));
        assertEquals(
          [...played.commands(state).keys()],
          [...admissible].map((c) => commands[c]).sort(),
          where,
        );
        assertEquals(played.world.won(state), won === 1, where);
      });
    }
  });
}
