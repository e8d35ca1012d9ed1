import { FileError } from "../../stages/errors.ts";
import { parseQuery, parseSymbols, type QueryAtom, type Symbol } from "./symbols.ts";

/** A production: used if it has no condition or its condition has a solution. */
export interface Production {
  readonly condition: readonly QueryAtom[] | undefined;
  readonly symbols: readonly Symbol[];
}

/** The command and the answer of an action. */
export interface ActionText {
  readonly template: readonly Symbol[];
  readonly feedback: readonly Symbol[];
}

const part =
  /grammar\s*::\s*"""([\s\S]*?)"""\s*;|action\s+([\w/-]+)\s*\{((?:"""[\s\S]*?"""|"[^"]*"|[^}"])*)\}/g;

/**
 * A parsed `.twl2` text: productions by rule name, and texts by action name in
 * lower case. Productions are read when first asked for; a rule defined twice
 * is the later one.
 */
export class TextGrammar {
  readonly #rules = new Map<string, readonly { rhs: string; condition: string | undefined }[]>();
  readonly #productions = new Map<string, readonly Production[]>();
  readonly #actions = new Map<string, { template: string; feedback: string }>();

  /** @throws FileError if a block is no JSON of rules or an action lacks its texts. */
  constructor(text: string, readonly source: string) {
    for (const match of text.matchAll(part)) {
      const [, block, name, body] = match;
      if (block !== undefined) {
        this.#addRules(block);
        continue;
      }
      const own = /grammar\s*::\s*"""([\s\S]*?)"""/.exec(body);
      if (own) {
        this.#addRules(own[1].split("\n").filter((line) => !line.trimStart().startsWith("#")).join("\n"));
      }
      const bare = body.replace(/"""[\s\S]*?"""/g, "");
      const template = /template\s*::\s*"([^"]*)"/.exec(bare)?.[1];
      const feedback = /feedback\s*::\s*"([^"]*)"/.exec(bare)?.[1];
      if (template === undefined || feedback === undefined) {
        throw new FileError({ path: source, reason: `action ${name} needs a template and a feedback` });
      }
      this.#actions.set(name.toLowerCase(), { template, feedback });
    }
    if (this.#rules.size === 0) throw new FileError({ path: source, reason: "no grammar block found" });
  }

  /** The texts of an action; in a template `{x}` is the name of `x`. */
  action(name: string): ActionText {
    const found = this.#actions.get(name);
    if (!found) throw new FileError({ path: this.source, reason: `no text for action ${name}` });
    return {
      template: parseSymbols(found.template, this.source),
      feedback: parseSymbols(found.feedback, this.source),
    };
  }

  /** The productions of a rule in order. */
  productions(name: string): readonly Production[] {
    const known = this.#productions.get(name);
    if (known) return known;
    const rules = this.#rules.get(name);
    if (!rules) throw new FileError({ path: this.source, reason: `no rule #${name}#` });
    const productions = rules.map(({ rhs, condition }) => ({
      condition: condition ? parseQuery(condition, this.source) : undefined,
      symbols: parseSymbols(rhs.replaceAll("\\n", "\n"), this.source),
    }));
    this.#productions.set(name, productions);
    return productions;
  }

  #addRules(json: string): void {
    let rules: unknown;
    try {
      rules = JSON.parse(json);
    } catch (error) {
      throw new FileError({
        path: this.source,
        reason: `a grammar block is no JSON: ${(error as Error).message}`,
      });
    }
    for (const [name, productions] of Object.entries(rules as Record<string, unknown>)) {
      if (!Array.isArray(productions) || productions.some((p) => typeof p?.rhs !== "string")) {
        throw new FileError({ path: this.source, reason: `rule ${name} is no list of {rhs, condition?}` });
      }
      this.#rules.set(name, productions.map((p) => ({ rhs: p.rhs, condition: p.condition })));
    }
  }
}
