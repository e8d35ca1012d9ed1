import { type Parts, partsOf } from "../paints.ts";
import type { Belief, KnownPortion } from "./belief.ts";
import { bring, type PlanStep, reach, search, towards } from "./steps.ts";

/** Pours the paints of the target colour together and mixes them; null when that is done. */
export function mixPaint(belief: Belief, skipMix: boolean): PlanStep | null {
  const wanted = partsOf(belief.goal.target);
  const all = [...belief.contents.keys()].filter((vessel) => belief.at.has(vessel)).sort();
  const fits = (portions: readonly KnownPortion[]) => total(portions).every((n, i) => n <= wanted[i]);
  const worth = (vessel: string) => total(belief.portions(vessel)).reduce((a, b) => a + b, 0);
  const [base] = all.filter((vessel) => fits(belief.portions(vessel))).sort((a, b) => worth(b) - worth(a));
  if (base === undefined) return search(belief, { "art studio": 1 });
  const inside = belief.portions(base);
  if (total(inside).every((n, i) => n === wanted[i])) {
    return skipMix ? null : towards("mix", reach(belief, base), `mix ${base}`);
  }
  for (const vessel of all) {
    const portion = vessel === base
      ? undefined
      : belief.portions(vessel).find((p) => isPaint(p) && fits([...inside, p]));
    if (portion === undefined) continue;
    const { substance } = portion;
    const room = belief.roomOf(base)!;
    const before = bring(belief, vessel, room) ?? reach(belief, base);
    const same = belief.vesselsOf(substance).filter((other) => belief.roomOf(other) === room);
    const name = same.length > 1 ? `${substance} in ${vessel}` : substance;
    return towards("pour", before, `pour ${name} into ${base}`);
  }
  return search(belief, { "art studio": 1 });
}

function isPaint({ substance }: KnownPortion): boolean {
  return substance.endsWith(" paint");
}

/** Parts of all; anything that is no paint fits nowhere. */
function total(portions: readonly KnownPortion[]): readonly [number, number, number] {
  const sum: [number, number, number] = [0, 0, 0];
  for (const portion of portions) {
    const parts = isPaint(portion) ? unitParts(portion) : [99, 99, 99];
    parts.forEach((n, i) => sum[i] += n);
  }
  return sum;
}

/** Parts of red, yellow and blue in units of a full vessel; a brown paint fits nowhere. */
function unitParts({ substance, units }: KnownPortion): Parts {
  if (substance === "brown paint") return [99, 99, 99];
  const parts = partsOf(substance.replace(/ paint$/, ""));
  const size = parts.reduce((a, b) => a + b, 0);
  return [parts[0] * units / size, parts[1] * units / size, parts[2] * units / size];
}
