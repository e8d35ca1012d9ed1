import { afterThought } from "../verify/after_thought.ts";
import { accept, refuse, type Verdict } from "../verify/verdict.ts";

/** Why an answer is refused. */
export type Gsm8kCategory = "no_answer" | "wrong" | "bad_gold";

/**
 * Verifies the number behind the last `####`, as GSM8K writes answers: an optional
 * sign, `$` and `%`, thousands in well-formed groups, compared as decimals. `gold` is
 * a number or the whole worked answer.
 */
export function verifyGsm8k(reply: string, gold: string): Verdict<Gsm8kCategory> {
  const wanted = decimalAfter(gold.includes("####") ? gold : `#### ${gold}`);
  if (wanted === null) {
    return refuse("bad_gold", `the gold answer ${JSON.stringify(gold.slice(-80))} is no number`);
  }
  const rest = afterThought(reply);
  const got = rest === null ? null : decimalAfter(rest);
  if (got === null) return refuse("no_answer", "no number behind ####");
  return got === wanted ? accept(got) : refuse("wrong", `is ${got}, not ${wanted}`, got);
}

/** The number behind the last `####` in canonical form (no leading or trailing zeros), or null. */
export function decimalAfter(text: string): string | null {
  const at = text.lastIndexOf("####");
  if (at < 0) return null;
  const head = text.slice(at + 4, at + 4 + 256).replaceAll("\u2212", "-").trimStart();
  const match = /^(-?)\s?\\?\$?(-?)(\d{1,3}(?:,\d{3})+|\d+)?(?:\.(\d+))?(?![,.]?\d)/.exec(head);
  if (match === null) return null;
  const [whole, sign, late, integer = "", fraction = ""] = match;
  if (integer === "" && fraction === "") return null;
  if ((sign !== "" && late !== "") || /^[^\s\p{L}\p{P}\p{S}]/u.test(head.slice(whole.length))) return null;
  const left = integer.replaceAll(",", "").replace(/^0+(?=\d)/, "") || "0";
  const right = fraction.replace(/0+$/, "");
  const value = right === "" ? left : `${left}.${right}`;
  return value === "0" ? "0" : `${sign}${late}${value}`;
}
