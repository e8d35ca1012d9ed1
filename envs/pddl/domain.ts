import { FileError } from "../../stages/errors.ts";
import { type Atom, type Formula, parseAtom, parseFormula } from "./formula.ts";
import { parseSExpressions, printSExpression, type SExpression } from "./s_expression.ts";
import { parseTypedList, type Typed } from "./typed_list.ts";

/** An atom made true or false, always or under a condition. */
export interface Effect extends Atom {
  readonly negated: boolean;
  readonly condition?: Formula;
}

/** An action schema. */
export interface Action {
  readonly name: string;
  readonly parameters: readonly Typed[];
  readonly precondition: Formula;
  readonly effects: readonly Effect[];
}

/** What a domain says beyond its declarations, which are not needed to play. */
export interface Domain {
  readonly name: string;
  readonly actions: readonly Action[];
}

/**
 * Reads `(define (domain ...) ...)`. Requirements, types, predicates and costs
 * are passed over: types are those that objects have.
 *
 * @throws FileError that names the action and what is wrong with it.
 */
export function parseDomain(text: string, source: string): Domain {
  const [name, sections] = parseDefinition(text, "domain", source);
  const actions: Action[] = [];
  for (const section of sections) {
    if (section[0] === ":action") actions.push(parseAction(section, source));
  }
  if (actions.length === 0) throw new FileError({ path: source, reason: `domain ${name} has no actions` });
  return { name, actions };
}

/** Opens `(define (<what> name) sections...)`: the name and the sections. */
export function parseDefinition(
  text: string,
  what: "domain" | "problem",
  source: string,
): [string, (readonly SExpression[])[]] {
  const fail = (reason: string) => new FileError({ path: source, reason });
  const [definition, ...more] = parseSExpressions(text, source);
  if (typeof definition !== "object" || definition[0] !== "define" || more.length > 0) {
    throw fail(`expected one (define (${what} ...) ...), found ${printSExpression(definition)}`);
  }
  const [, header, ...sections] = definition;
  if (typeof header !== "object" || header[0] !== what || typeof header[1] !== "string") {
    throw fail(`expected (${what} name), found ${printSExpression(header)}`);
  }
  return [
    header[1],
    sections.map((section) => {
      if (typeof section === "string") throw fail(`expected a section, found ${section}`);
      return section;
    }),
  ];
}

function parseAction(section: readonly SExpression[], source: string): Action {
  const name = section[1];
  if (typeof name !== "string") {
    throw new FileError({ path: source, reason: `an action without a name: ${printSExpression(section)}` });
  }
  const place = `${source}, action ${name}`;
  const part = (key: string): SExpression => {
    const at = section.indexOf(key);
    if (at < 0 || at + 1 >= section.length) throw new FileError({ path: place, reason: `no ${key}` });
    return section[at + 1];
  };
  const parameters = part(":parameters");
  if (typeof parameters === "string") throw new FileError({ path: place, reason: ":parameters is no list" });
  return {
    name,
    parameters: parseTypedList(parameters, place),
    precondition: parseFormula(part(":precondition"), place),
    effects: parseEffects(part(":effect"), place),
  };
}

function parseEffects(expression: SExpression, source: string, condition?: Formula): Effect[] {
  const fail = (why: string) =>
    new FileError({ path: source, reason: `${why}: ${printSExpression(expression)}` });
  if (typeof expression === "string") throw fail("expected an effect");
  if (expression.length === 0) return [];
  const [head, ...rest] = expression;
  const always = condition === undefined ? {} : { condition };
  switch (head) {
    case "and":
      return rest.flatMap((part) => parseEffects(part, source, condition));
    case "when":
      if (rest.length !== 2 || condition !== undefined) throw fail("`when` takes a condition and an effect");
      return parseEffects(rest[1], source, parseFormula(rest[0], source));
    case "increase":
      return [];
    case "forall":
      throw fail("effects with `forall` are not supported");
    case "not":
      if (rest.length !== 1) throw fail("`not` takes one atom");
      return [{ ...parseAtom(rest[0], source), negated: true, ...always }];
    default:
      return [{ ...parseAtom(expression, source), negated: false, ...always }];
  }
}
