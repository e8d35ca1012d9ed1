import { assertEquals, assertThrows } from "@std/assert";
import { parseGameFile, readGameFile } from "../../../envs/text_game/game_file.ts";
import { TextGame } from "../../../envs/text_game/text_game.ts";
import { FileError } from "../../../stages/errors.ts";
import { potatoPath } from "./_games.ts";

const good = readGameFile(potatoPath);

Deno.test("a broken game file is a FileError that names the file and the fault", () => {
  const path = Deno.makeTempFileSync();
  try {
    const error = assertThrows(() => readGameFile(path + ".none"), FileError, "cannot read");
    assertEquals(error.path, path + ".none");
    Deno.writeTextFileSync(path, JSON.stringify(good).slice(0, 5000));
    assertThrows(() => readGameFile(path), FileError, "no JSON");
    Deno.writeTextFileSync(path, "[1]");
    assertThrows(() => readGameFile(path), FileError, "JSON object");
  } finally {
    Deno.removeSync(path);
  }
  assertThrows(() => parseGameFile({ ...good, grammar: 3 }, "g"), FileError, "grammar");
  assertThrows(() => parseGameFile({ ...good, solvable: false }, "g"), FileError, "solvable");
  assertThrows(() => parseGameFile(null, "g"), FileError, "g: ");
});

Deno.test("broken texts inside a game are FileErrors that name the place", () => {
  const broken = (part: Partial<typeof good>) => () => new TextGame({ ...good, ...part }, "game");
  assertThrows(broken({ pddl_domain: good.pddl_domain.slice(0, -5) }), FileError, "not closed");
  assertThrows(broken({ pddl_domain: "(define (domain d))" }), FileError, "no actions");
  assertThrows(broken({ pddl_problem: good.pddl_problem + ")" }), FileError, "a closing bracket too many");
  assertThrows(
    broken({ pddl_problem: good.pddl_problem.replace("(:goal", "(:gaol") }),
    FileError,
    "no :goal",
  );
  assertThrows(
    broken({ pddl_problem: good.pddl_problem.replace("(:init", "(:init (opened nowhere)") }),
    FileError,
    "no object nowhere",
  );
  assertThrows(
    broken({ pddl_problem: good.pddl_problem.replace("(:init", "(:init (opened)") }),
    FileError,
    "opened is used with",
  );
  assertThrows(
    broken({ grammar: good.grammar.replace("action look", "action peek") }),
    FileError,
    "action look",
  );
  assertThrows(broken({ grammar: good.grammar.replace('"rhs"', "rhs") }), FileError, "no JSON");
  assertThrows(
    () =>
      new TextGame({ ...good, grammar: good.grammar.replace("#look.feedback#", "#gone#") }, "game").intro(),
    FileError,
    "no rule #gone#",
  );
  assertThrows(
    () =>
      new TextGame({ ...good, grammar: good.grammar.replace("#look.feedback#", "#intro#") }, "game").intro(),
    FileError,
    "calls itself",
  );
});
