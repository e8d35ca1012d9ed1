import type { Answer, Leaf } from "./parse_answer.ts";
import { parseExpression } from "./parse_expression.ts";
import { sameRelation, toInterval, unassigned } from "./relations.ts";
import { sameLeaf } from "./same_leaf.ts";

/** How answers may differ and still be the same. */
export interface MathOptions {
  /** `p%` also equals p where the gold answer is a bare number: the question asks for a percentage. */
  readonly percent?: boolean;
}

/**
 * Whether an answer has the value of the gold answer. The gold answer's form decides:
 * lists and sets are unordered, tuples ordered and no sets, open is not closed,
 * an assignment is its value, matrices compare entry by entry whatever their brackets,
 * and single values as `sameLeaf` says.
 */
export function sameAnswer(answer: Answer, gold: Answer, options: MathOptions = {}): boolean {
  const [a, g] = [asText(answer), asText(gold)];
  if (a !== null && a === g) return true;
  if (gold.kind === "relation" || answer.kind === "relation") return sameRelated(answer, gold, options);
  switch (gold.kind) {
    case "leaf":
      return answer.kind === "leaf" && sameLeaf(answer, gold, options);
    case "text":
      return false;
    case "list":
    case "set":
      return (answer.kind === "list" || answer.kind === "set") &&
        sameItems(answer.items, gold.items, options);
    case "union":
      return answer.kind === "union" && sameItems(answer.items, gold.items, options);
    case "tuple":
      return answer.kind === "tuple" && answer.open === gold.open && answer.close === gold.close &&
        inOrder(answer.items, gold.items, options);
    case "matrix":
      return answer.kind === "matrix" && answer.rows.length === gold.rows.length &&
        gold.rows.every((row, i) => inOrder(answer.rows[i], row, options));
  }
}

function sameRelated(answer: Answer, gold: Answer, options: MathOptions): boolean {
  const [a, g] = [unassigned(answer), unassigned(gold)];
  if (g !== null && a !== null) return a.name === g.name && sameAnswer(a.value, g.value, options);
  if (g !== null && answer.kind !== "relation") return sameAnswer(answer, g.value, options);
  if (a !== null && gold.kind !== "relation") return sameAnswer(a.value, gold, options);
  const [x, y] = [toInterval(answer), toInterval(gold)];
  if (x !== null && y !== null) {
    return (x.name === null || y.name === null || x.name === y.name) &&
      sameAnswer(x.interval, y.interval, options);
  }
  return answer.kind === "relation" && gold.kind === "relation" && sameRelation(answer, gold);
}

function inOrder(a: readonly Answer[], b: readonly Answer[], options: MathOptions): boolean {
  return a.length === b.length && a.every((item, i) => sameAnswer(item, b[i], options));
}

/** Each gold item is met once; equal values are interchangeable, so greed is enough. */
function sameItems(a: readonly Answer[], gold: readonly Answer[], options: MathOptions): boolean {
  if (a.length !== gold.length) return false;
  const left = [...a];
  return gold.every((item) => {
    const at = left.findIndex((one) => sameAnswer(one, item, options));
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}

/** Words to compare: without case and brackets around a letter; null for what is no text. */
function asText(answer: Answer): string | null {
  if (answer.kind !== "text" && !(answer.kind === "leaf" && isWord(answer))) return null;
  const text = answer.kind === "text" ? answer.text : answer.source;
  const inner = /^\(\s*([A-Za-z])\s*\)$/.exec(text)?.[1] ?? text;
  const collapsed = inner.replace(/\s+/g, " ").trim();
  return collapsed.length === 1 ? collapsed : collapsed.toLowerCase();
}

function isWord({ source, unit, percent }: Leaf): boolean {
  return unit === "" && !percent && /^\(?[A-Za-z][A-Za-z ]*\)?$/.test(source) &&
    (source.length <= 3 || parseExpression(source)?.op !== "call");
}
