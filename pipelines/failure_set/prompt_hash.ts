import { hash32 } from "../../stages/seed.ts";
import type { Attempt } from "../../stages/record.ts";

/** Hash of the ids before an attempt's first reply. */
export function promptHash({ ids, turns }: Pick<Attempt, "ids" | "turns">): string {
  return hash32(ids.slice(0, turns[0]?.start ?? ids.length).join(",")).toString(16).padStart(8, "0");
}
