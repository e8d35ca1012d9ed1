import { countdownSchool } from "./countdown/demonstrator/countdown_school.ts";
import type { School } from "./demonstrator.ts";
import { householdSchool } from "./household/demonstrator/household_school.ts";
import { shopSchool } from "./shop/demonstrator/shop_school.ts";
import { labSchool } from "./lab/demonstrator/lab_school.ts";

/** Environments that have a demonstrator, by name; each makes its school for tasks of `level`. */
export const schools = {
  household: (level: number): School => householdSchool({ level }),
  shop: (level: number): School => shopSchool({ level }),
  lab: (level: number): School => labSchool({ level }),
  countdown: (_level: number): School => countdownSchool(),
} as const;

/** A name in {@link schools}. */
export type SchoolName = keyof typeof schools;
