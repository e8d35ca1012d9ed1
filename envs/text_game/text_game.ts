import { type Domain, parseDomain } from "../pddl/domain.ts";
import type { Operator } from "../pddl/compiled_action.ts";
import { parseProblem } from "../pddl/problem.ts";
import type { State } from "../pddl/state.ts";
import { World } from "../pddl/world.ts";
import { type Context, derive } from "../text_grammar/derive.ts";
import type { Symbol } from "../text_grammar/symbols.ts";
import { TextGrammar } from "../text_grammar/text_grammar.ts";
import { displayNames } from "./display_names.ts";
import type { GameFile } from "./game_file.ts";

/** The answer to a command that is none. */
export const refusal = "Nothing happens.";

interface ActionTexts {
  readonly template: readonly Symbol[];
  readonly feedback: readonly Symbol[];
  /** Positions of the parameters that the command's text depends on; null if it depends on changing facts. */
  readonly depends: readonly number[] | null;
  readonly cache: Map<number, string>;
}

/**
 * A text game: PDDL for what can be done, a text grammar for what is said. It
 * plays ALFWorld's game files word for word. States are immutable.
 */
export class TextGame {
  readonly world: World;
  readonly grammar: TextGrammar;
  /** Display names by object id. */
  readonly names: readonly string[];
  /** Object ids by display name. */
  readonly ids: ReadonlyMap<string, number>;
  /** Predicates that some condition or text reads; `not_p` where a text asks for facts made false. */
  readonly reads: ReadonlySet<string>;
  readonly #texts: ReadonlyMap<string, ActionTexts>;
  readonly #commands = new WeakMap<State, ReadonlyMap<string, Operator>>();

  /** @throws FileError that says what is wrong with the game's texts. */
  constructor(game: GameFile, readonly source: string) {
    const domain = domainOf(game.pddl_domain, `${source}, domain`);
    this.world = new World(domain, parseProblem(game.pddl_problem, `${source}, problem`), source);
    this.grammar = new TextGrammar(game.grammar, `${source}, grammar`);
    this.names = displayNames(this.world);
    this.ids = new Map(this.names.map((name, id) => [name, id]));
    const queried = [...game.grammar.matchAll(/([\w-]+)\s*\(\s*[\w-]+\s*:/g)].map((m) => m[1]);
    this.reads = new Set([...this.world.conditions, ...queried]);
    this.#texts = new Map(this.world.actions.map(({ name, parameters }) => {
      const { template, feedback } = this.grammar.action(name);
      return [name, { template, feedback, depends: this.#dependsOn(template, parameters), cache: new Map() }];
    }));
  }

  /** The first observation. */
  intro(state: State = this.world.start): string {
    return derive([{ kind: "rule", name: "intro" }], new Map(), this.#telling(state));
  }

  /** Every command that is accepted now, in code-unit order, with its operator. */
  commands(state: State): ReadonlyMap<string, Operator> {
    const known = this.#commands.get(state);
    if (known) return known;
    const found = new Map<string, Operator>();
    for (const operator of this.world.operators(state)) {
      const command = this.#command(operator, state);
      if (!found.has(command)) found.set(command, operator);
    }
    const sorted = new Map([...found].sort(([a], [b]) => a < b ? -1 : 1));
    this.#commands.set(state, sorted);
    return sorted;
  }

  /**
   * What a command leads to. Anything but an accepted command, up to white space
   * around it, leaves the state as it is and is answered by {@link refusal}.
   */
  step(state: State, command: string): { readonly state: State; readonly observation: string } {
    const operator = this.commands(state).get(command.trim());
    if (!operator) return { state, observation: refusal };
    const next = operator.action.apply(state, operator.values);
    const { feedback } = this.#texts.get(operator.action.name)!;
    return { state: next, observation: derive(feedback, contextOf(operator), this.#telling(next)) };
  }

  #telling(state: State) {
    return { grammar: this.grammar, names: this.names, state };
  }

  #command(operator: Operator, state: State): string {
    const { template, depends, cache } = this.#texts.get(operator.action.name)!;
    if (!depends) return derive(template, contextOf(operator), this.#telling(state));
    let key = 0;
    for (const i of depends) key = key * this.world.vocabulary.base + operator.values[i];
    const known = cache.get(key);
    if (known !== undefined) return known;
    const command = derive(template, contextOf(operator), this.#telling(state));
    cache.set(key, command);
    return command;
  }

  #dependsOn(template: readonly Symbol[], parameters: readonly string[]): number[] | null {
    const names = new Set<string>();
    for (const symbol of template) {
      if (symbol.kind === "text") continue;
      if (symbol.kind === "rule" || symbol.item.kind !== "field") return null;
      names.add(symbol.item.variable);
      for (const { predicate, terms } of symbol.query ?? []) {
        const id = this.world.vocabulary.findPredicate(predicate);
        if (id === undefined || this.world.start.fixed[id] === null) return null;
        for (const t of terms) names.add(t.name);
      }
    }
    const used = parameters.flatMap((p, i) => names.has(p) ? [i] : []);
    return this.world.vocabulary.base ** used.length > Number.MAX_SAFE_INTEGER ? null : used;
  }
}

const domains = new Map<string, Domain>();

/** Games share a few domains: each is read once. */
function domainOf(text: string, source: string): Domain {
  const known = domains.get(text);
  if (known) return known;
  const domain = parseDomain(text, source);
  if (domains.size >= 4) domains.clear();
  domains.set(text, domain);
  return domain;
}

function contextOf({ action, values }: Operator): Context {
  return new Map(action.parameters.map((p, i) => [p, values[i]]));
}
