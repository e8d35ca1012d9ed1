import type { Curriculum } from "../../demonstrator.ts";

/** How often who demonstrates errs. */
export interface PairFlaws {
  /** Share of unguided answers that add, whatever is asked. */
  readonly habit: number;
  /** Share of the other unguided answers with another operator than the right one. */
  readonly slip: number;
  /** Share of reflections and of repaired attempts that name another wrong operator. */
  readonly misread: number;
}

/** First what can be done, with errors everywhere; then the habit of adding, rarely or never given up. */
export const pairFlaws: Readonly<Record<Curriculum, PairFlaws>> = {
  capable: { habit: 0, slip: 0.4, misread: 0.4 },
  flawed: { habit: 0.95, slip: 0.4, misread: 0.4 },
  blind: { habit: 1, slip: 0, misread: 0.4 },
};
