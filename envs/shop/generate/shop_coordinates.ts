import type { Split } from "../../env.ts";
import { hash32, type Rng } from "../../../stages/seed.ts";
import { kindsOf, type ShopKind } from "./kinds.ts";

/** Changes whenever the same coordinates give another task. */
export const generatorVersion = 1;

/** Difficulties of generated tasks. */
export type ShopLevel = 0 | 1 | 2 | 3;

/** What a generated task is a pure function of, with the version. */
export interface ShopCoordinates {
  readonly split: Split;
  readonly index: number;
  readonly level: ShopLevel;
  /** Relative frequencies of the kinds. */
  readonly kinds?: Readonly<Record<string, number>>;
}

/** The split that a text belongs to, in the ratio 6:1:1. */
export function splitOf(text: string): Split {
  const bucket = hash32(`shop/split/${generatorVersion}/${text}`) % 8;
  return bucket === 6 ? "valid" : bucket === 7 ? "test" : "train";
}

/** @throws RangeError for a kind that the level does not have. */
export function drawKind({ level, kinds }: ShopCoordinates, rng: Rng): ShopKind {
  const known = kindsOf(level);
  const unknown = Object.keys(kinds ?? {}).find((name) => !(known as readonly string[]).includes(name));
  if (unknown !== undefined) {
    throw new RangeError(`level ${level} has no kind ${unknown}, only ${known.join(", ")}`);
  }
  return rng.weighted(known, known.map((name) => (kinds === undefined ? 1 : kinds[name] ?? 0)));
}
