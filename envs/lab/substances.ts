import type { Homes } from "./catalog.ts";

/** A substance that is not a paint; temperatures in tenths of a degree Celsius. */
export interface Substance {
  readonly melts: number;
  readonly boils: number;
  readonly homes: Homes;
}

/** State of matter. */
export type Phase = "solid" | "liquid" | "gas";

const food = { kitchen: 8, "living room": 2 };
const metal = { workshop: 8, "art studio": 2 };
const spirit = { workshop: 8, kitchen: 2 };

/** Substances by name; melting and boiling points at normal pressure, rounded to whole degrees. */
export const substances: Readonly<Record<string, Substance>> = {
  water: { melts: 0, boils: 1000, homes: food },
  milk: { melts: -10, boils: 1010, homes: food },
  juice: { melts: -20, boils: 1010, homes: food },
  vinegar: { melts: -20, boils: 1010, homes: food },
  oil: { melts: -60, boils: 3000, homes: food },
  alcohol: { melts: -1140, boils: 780, homes: spirit },
  acetone: { melts: -950, boils: 560, homes: spirit },
  mercury: { melts: -390, boils: 3570, homes: spirit },
  butter: { melts: 350, boils: 6000, homes: food },
  chocolate: { melts: 340, boils: 6000, homes: food },
  wax: { melts: 600, boils: 3700, homes: { "living room": 8, kitchen: 2 } },
  gallium: { melts: 300, boils: 24000, homes: metal },
  tin: { melts: 2320, boils: 26020, homes: metal },
  lead: { melts: 3270, boils: 17490, homes: metal },
};

/** State of matter at a temperature; a paint is always liquid. */
export function phaseOf(substance: string, temperature: number): Phase {
  const known = substances[substance];
  if (known === undefined) return "liquid";
  return temperature < known.melts ? "solid" : temperature < known.boils ? "liquid" : "gas";
}
