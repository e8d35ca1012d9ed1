import { assert, assertEquals, assertThrows } from "@std/assert";
import { parseDomain } from "../../../envs/pddl/domain.ts";
import { unpack } from "../../../envs/pddl/fact_table.ts";
import { parseProblem } from "../../../envs/pddl/problem.ts";
import type { State } from "../../../envs/pddl/state.ts";
import { World } from "../../../envs/pddl/world.ts";
import { FileError } from "../../../stages/errors.ts";

function world(actions: string, init: string, goal = "(p a)"): World {
  const domain = parseDomain(`(define (domain d) ${actions})`, "domain");
  const problem = parseProblem(
    `(define (problem x) (:domain d) (:objects a b c - thing k - key) (:init ${init}) (:goal ${goal}))`,
    "problem",
  );
  return new World(domain, problem, "test");
}

const action = (parameters: string, precondition: string, effect: string) =>
  `(:action do :parameters (${parameters}) :precondition ${precondition} :effect ${effect})`;

/** Operators as the names of their arguments. */
function operators(w: World, state: State = w.start): string[] {
  return w.operators(state).map((o) => o.values.map((v) => w.vocabulary.objects[v]).join(" ")).sort();
}

/** True facts as text. */
function facts(w: World, state: State): string[] {
  const { predicates, arities, objects, base } = w.vocabulary;
  return predicates.flatMap((name, p) =>
    [...state.facts[p]].map((key) =>
      [name, ...unpack(key, arities[p], base).map((id) => objects[id])].join(" ")
    )
  ).sort();
}

Deno.test("operators are the bindings that satisfy the precondition", () => {
  const w = world(
    action("?x - thing ?y - thing", "(and (on ?x ?y) (not (p ?x)))", "(p ?x)"),
    "(on a b) (on b c) (p b)",
  );
  assertEquals(operators(w), ["a b"]);
  const any = world(action("?x - thing", "()", "(p ?x)"), "(p a)");
  assertEquals(operators(any), ["a", "b", "c"], "one for each object of the type");
});

Deno.test("or, exists, forall and = mean what they say; an object bound twice is one operator", () => {
  const exists = "(exists (?y - thing) (on ?x ?y))";
  const w = (condition: string) =>
    operators(world(action("?x - thing", condition, "(q ?x)"), "(on a b) (on a c) (p c) (p b)"));
  assertEquals(w(exists), ["a"]);
  assertEquals(w(`(or ${exists} (p ?x))`), ["a", "b", "c"]);
  assertEquals(w(`(not ${exists})`), ["b", "c"]);
  assertEquals(w("(forall (?y - thing) (or (= ?x ?y) (on ?x ?y)))"), ["a"]);
  assertEquals(w("(forall (?y - thing) (not (on ?x ?y)))"), ["b", "c"]);
  assertEquals(w("(exists (?y - thing) (and (on ?x ?y) (exists (?x - thing) (and (on ?x ?y) (p ?y)))))"), [
    "a",
  ]);
  assertEquals(w(`(and ${exists} (exists (?y - thing) (and (p ?y) (not (on ?x ?y)))))`), []);
  assertEquals(w("(and (exists (?y - thing) (on ?y ?x)) (exists (?y - thing) (p ?y)))"), ["b", "c"]);
  assertEquals(w("(exists (?y - thing) (and (on ?x ?y) (not (exists (?y - thing) (on ?y ?x)))))"), ["a"]);
  assertEquals(w("(exists (?y - wrong,) (on ?x ?y))"), [], "nothing is of an unknown type");
});

Deno.test("an operator whose effects are all demanded by its precondition does not exist", () => {
  const go = action("?x - thing ?y - thing", "(and (at ?x) (place ?y))", "(and (not (at ?x)) (at ?y))");
  assertEquals(operators(world(go, "(at a) (place a) (place b)")), ["a b"]);
});

Deno.test("adds win over deletes, and conditions are read before anything changes", () => {
  const both = world(action("?x - thing", "(p ?x)", "(and (not (q ?x)) (q ?x))"), "(p a)");
  const [add] = both.operators(both.start);
  assertEquals(facts(both, add.action.apply(both.start, add.values)), ["q a"]);
  const flip = world(
    action("?x - thing", "(p ?x)", "(and (when (q ?x) (not (q ?x))) (when (not (q ?x)) (q ?x)) (r ?x))"),
    "(p a)",
  );
  const [once] = flip.operators(flip.start);
  const on = once.action.apply(flip.start, once.values);
  assertEquals(facts(flip, on), ["q a", "r a"]);
  const off = once.action.apply(on, once.values);
  assertEquals(facts(flip, off), ["r a"]);
  assertEquals(facts(flip, flip.start), [], "states do not change");
  assertEquals(
    off.negated.map((s) => s.size).reduce((a, b) => a + b),
    1,
    "what was made false is remembered",
  );
});

Deno.test("the goal may nest quantifiers over the same names", () => {
  const two =
    "(exists (?r - thing) (exists (?o - thing) (and (on ?o ?r) (exists (?p - thing) (and (not (= ?o ?p)) (on ?p ?r))))))";
  const any = action("?x - thing", "(p ?x)", "(on ?x ?x)");
  assert(!world(any, "(on a b) (on b c)", two).won(world(any, "(on a b) (on b c)", two).start));
  const w = world(any, "(on a c) (on b c)", two);
  assert(w.won(w.start));
});

Deno.test("faults of rules name the variable, object or predicate", () => {
  const make = (precondition: string, effect: string) => () =>
    world(action("?x - thing", precondition, effect), "(p a)");
  assertThrows(make("(p ?z)", "(p ?x)"), FileError, "?z");
  assertThrows(make("(p ?x)", "(p ?z)"), FileError, "?z");
  assertThrows(make("(p ?x ?x)", "(q ?x)"), FileError, "predicate p is used with 2 and with 1");
  assertThrows(make("p", "(q ?x)"), FileError, "expected a condition");
  assertThrows(make("(p ?x)", "(forall (?y - thing) (p ?y))"), FileError, "not supported");
  assertThrows(() => world("(:action)", "(p a)"), FileError, "without a name");
  assertThrows(() => parseDomain("(".repeat(500), "deep"), FileError, "nested deeper");
});
