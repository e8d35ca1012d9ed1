import type { Rng } from "../../../stages/seed.ts";
import { type PairOperator, pairOperators } from "../pair_operators.ts";
import type { PairFlaws } from "./pair_flaws.ts";

/** Who demonstrates on one task of two numbers: chooses operators, with errors. `right` are those that reach its target. */
export class PairStudent {
  constructor(readonly right: readonly PairOperator[], readonly flaws: PairFlaws, readonly rng: Rng) {}

  /** For an answer that nobody guides. */
  answer(): PairOperator {
    const rng = this.rng.fork("answer");
    if (rng.chance(this.flaws.habit)) return "+";
    return rng.chance(this.flaws.slip) ? other(this.right, rng) : this.right[0];
  }

  /** In place of `failed`: a right one, or one of the other wrong ones. `occasion` is what it is for. */
  mend(failed: PairOperator, occasion: string): PairOperator {
    const rng = this.rng.fork(occasion);
    return rng.chance(this.flaws.misread) ? other([...this.right, failed], rng) : this.right[0];
  }

  /** Any but `known`. */
  another(known: PairOperator): PairOperator {
    return other([known], this.rng.fork("foreign"));
  }
}

function other(known: readonly PairOperator[], rng: Rng): PairOperator {
  return rng.pick(pairOperators.filter((operator) => !known.includes(operator)));
}
