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
 * not positive, distributions that do not belong to the chosen tokens.
 */
export function checkRows(
  rows: readonly WeightedRow[],
  { temperature = 1, select, against }: LogprobOptions,
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
  const features = against?.head.shape[1] ?? 0;
  if (against !== undefined) {
    if (select === undefined) fail("distributions to compare with need select");
    const known = against.head.shape[0];
    if (known < limits.vocabularySize) {
      fail(`the other model's head has ${known} ids, the vocabulary ${limits.vocabularySize}`);
    }
  }
  return rows.map(({ ids, weights, entropyWeights, divergenceWeights }, r) => {
    if (ids.length > limits.contextLength) {
      fail(`row ${r} has ${ids.length} tokens, the context holds ${limits.contextLength}`);
    }
    const bad = ids.findIndex((id) => !Number.isInteger(id) || id < 0 || id >= limits.vocabularySize);
    if (bad >= 0) fail(`row ${r}, token ${bad} is ${ids[bad]}, the vocabulary has ${limits.vocabularySize}`);
    const named = { weights, entropyWeights, divergenceWeights, select: select?.[r] };
    for (const [name, values] of Object.entries(named)) {
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
    const row = { ids, wanted, weights, ...(entropyWeights !== undefined && { entropyWeights }) };
    if (against === undefined) {
      if (divergenceWeights !== undefined) {
        fail(`row ${r} has divergenceWeights, but nothing to compare with`);
      }
      return row;
    }
    const compared = select![r];
    const chosen = wanted.filter((t) => compared[t] !== 0).length;
    const given = against.hidden[r]?.length ?? 0;
    if (given !== chosen * features) {
      fail(
        `row ${r} has ${chosen} chosen tokens of ${features} features, the distributions ${given} numbers`,
      );
    }
    return { ...row, compared, ...(divergenceWeights !== undefined && { divergenceWeights }) };
  });
}
