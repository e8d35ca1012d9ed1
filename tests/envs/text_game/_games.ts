import { generateGame } from "../../../envs/household/generate/generate_game.ts";
import { type GameFile, readGameFile } from "../../../envs/text_game/game_file.ts";
import type { GameCoordinates } from "../../../envs/household/generate/generate_game.ts";

const folder = new URL("../../../fixtures/household/", import.meta.url).pathname;

/** A game of ALFWorld. */
export const potatoPath = folder +
  "pick_heat_then_place_in_recep-Potato-None-SinkBasin-14/trial_T20190908_231731_054988/game.tw-pddl";

/** Reads a JSON fixture. */
export function fixture<T>(name: string): T {
  return JSON.parse(Deno.readTextFileSync(folder + name));
}

/** The game that a recorded play is about. */
export function gameOf(game: string, coordinates: GameCoordinates | undefined): GameFile {
  if (game === "potato") return readGameFile(potatoPath);
  if (game === "textworld") return readGameFile(folder + "textworld_test.tw-pddl");
  const { file } = generateGame(coordinates!);
  if (game === "generated") return file;
  const official = readGameFile(potatoPath);
  const sentence = /Your task is to: [^.]*\./.exec(file.grammar)![0];
  return {
    pddl_domain: official.pddl_domain,
    grammar: official.grammar.replace(/Your task is to: [^.]*\./, sentence),
    pddl_problem: file.pddl_problem.replace("(:domain household)", "(:domain alfred)"),
  };
}
