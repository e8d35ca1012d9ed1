import { assertEquals, assertThrows } from "@std/assert";
import { parseDomain } from "../../../envs/pddl/domain.ts";
import { parseProblem } from "../../../envs/pddl/problem.ts";
import { World } from "../../../envs/pddl/world.ts";
import { derive } from "../../../envs/text_grammar/derive.ts";
import { parseQuery, parseSymbols } from "../../../envs/text_grammar/symbols.ts";
import { TextGrammar } from "../../../envs/text_grammar/text_grammar.ts";
import { FileError } from "../../../stages/errors.ts";

const world = new World(
  parseDomain(
    "(define (domain d) (:action do :parameters (?x - t) :precondition (red ?x) :effect (not (red ?x))))",
    "d",
  ),
  parseProblem(
    "(define (problem p) (:domain d) (:objects a b c - t z - u) (:init (red a) (red b) (on a b) (on c b) (on z b)) (:goal (red a)))",
    "p",
  ),
  "w",
);
const rules = JSON.stringify({
  list_empty: [{ rhs: "nothing" }],
  list_separator: [{ rhs: ", " }],
  list_last_separator: [{ rhs: ", and " }],
  colour: [{ condition: "red(x:t)", rhs: "{x.name} is red" }, { rhs: "{x.name} is not" }],
});
const grammar = new TextGrammar(`grammar :: """${rules}""";`, "g");

function text(rhs: string, bound: Record<string, string> = {}, state = world.start): string {
  const context = new Map(Object.entries(bound).map(([k, v]) => [k, world.vocabulary.objectId(v)]));
  return derive(parseSymbols(rhs, "g"), context, { grammar, state, names: ["A", "B", "C", "Z"] });
}

Deno.test("expressions, rules and their conditions", () => {
  assertEquals(text("{x.indefinite + ' ' + x.name}/{x.definite} {x.id}/{x}", { x: "a" }), "a A/the a/A");
  assertEquals(text("#colour#; {#colour#}", { x: "a" }), "A is red; A is red");
  assertEquals(text("#colour#", { x: "c" }), "C is not");
});

Deno.test("queries give one item a solution in the order of facts; lists join them", () => {
  assertEquals(text("[{x.name | red(x:t)}]"), "A, and B");
  assertEquals(text("{x.name | red(x:t)}"), "AB");
  assertEquals(text("[{x.name | red(x:u)}]"), "nothing", "types are checked");
  assertEquals(text("[{x.name + y.name | on(x:t, y:t)}]"), "AB, and CB");
  assertEquals(text("[{y.name | on(x:t, y:t) & red(x:t)}]", { x: "c" }), "nothing");
  assertEquals(text("[{y.name | red(x:t) & red(y:t)}]"), "B, and A", "two variables are two things");
});

Deno.test("not_ facts are those that an action made false", () => {
  assertEquals(text("[{x.name | not_red(x:t)}]"), "nothing");
  const [first] = world.operators(world.start);
  assertEquals(text("[{x.name | not_red(x:t)}]", {}, first.action.apply(world.start, first.values)), "A");
});

Deno.test("white space and comments are passed over where a symbol begins a line", () => {
  assertEquals(text("\n  said\n\n#colour#", { x: "a" }), "said\n\nA is red");
  assertEquals(text("// gone\nsaid"), "said");
});

Deno.test("a rule defined again replaces the first; action lines that begin with # are comments", () => {
  const twice = new TextGrammar(
    `grammar :: """{"a": [{"rhs": "one"}]}"""; action X {template :: "x"; feedback :: "#a#"; grammar :: """\n#note\n{"a": [{"rhs": "two"}]}""";}`,
    "g",
  );
  assertEquals(twice.productions("a"), [{ condition: undefined, symbols: [{ kind: "text", text: "two" }] }]);
  assertEquals(twice.action("x").template, [{ kind: "text", text: "x" }]);
});

Deno.test("faults show the expression", () => {
  assertThrows(() => text("{x.name}"), FileError, "x is unbound");
  assertThrows(() => parseSymbols("{x.name.more.still}", "g"), FileError, "x.name.more.still");
  assertThrows(() => parseQuery("red(x)", "g"), FileError, "red(x)");
  assertThrows(() => new TextGrammar("nothing here", "g"), FileError, "no grammar block");
  assertThrows(() => new TextGrammar(`grammar :: """{"a": 3}""";`, "g"), FileError, "rule a");
});
