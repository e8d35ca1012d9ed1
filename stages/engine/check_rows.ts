import { EngineError } from "../errors.ts";
import type { LogprobOptions, WeightedRow } from "./engine.ts";
import type { PackableRow } from "./pack_rows.ts";

/** What rows are checked against. */
export interface RowLimits {
  readonly operation: string;
  readonly vocabularySize: number;
  readonly contextLength: number;
}

/**
 * Checks rows at the engine's door and lists the tokens that are wanted of each:
 * all but the first, or those of `select` and those with a weight.
 *
 * @throws {EngineError} naming the row: an id outside the vocabulary, a row longer
 * than the context, weights of another length or not finite, a temperature that is
 * not positive.
 */
export function checkRows(
  rows: readonly WeightedRow[],
  { temperature = 1, select }: LogprobOptions,
  limits: RowLimits,
): PackableRow[] {
  const fail = (reason: string): never => {
    throw new EngineError({ operation: limits.operation, reason });
  };
  if (!(temperature > 0 && Number.isFinite(temperature))) {
    fail(`temperature is ${temperature}, expected a positive number`);
  }
  if (select !== undefined && select.length !== rows.length) {
    fail(`${rows.length} rows, select has ${select.length}`);
  }
  return rows.map(({ ids, weights, entropyWeights }, r) => {
    if (ids.length > limits.contextLength) {
      fail(`row ${r} has ${ids.length} tokens, the context holds ${limits.contextLength}`);
    }
    const bad = ids.findIndex((id) => !Number.isInteger(id) || id < 0 || id >= limits.vocabularySize);
    if (bad >= 0) fail(`row ${r}, token ${bad} is ${ids[bad]}, the vocabulary has ${limits.vocabularySize}`);
    for (const [name, values] of Object.entries({ weights, entropyWeights, select: select?.[r] })) {
      if (values === undefined) continue;
      if (values.length !== ids.length) {
        fail(`row ${r} has ${ids.length} tokens and ${values.length} ${name}`);
      }
      for (let t = 0; t < values.length; t++) {
        if (!Number.isFinite(values[t])) fail(`row ${r}, token ${t}: ${name} is ${values[t]}`);
      }
    }
    const wanted: number[] = [];
    for (let t = 1; t < ids.length; t++) {
      const chosen = select === undefined || select[r][t] !== 0;
      if (chosen || weights[t] !== 0 || (entropyWeights?.[t] ?? 0) !== 0) wanted.push(t);
    }
    return { ids, wanted, weights, ...(entropyWeights !== undefined && { entropyWeights }) };
  });
}
