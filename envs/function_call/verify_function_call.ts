import { afterThought } from "../verify/after_thought.ts";
import { accept, refuse, type Verdict } from "../verify/verdict.ts";
import { type CallAdapterName, callAdapters } from "./adapters.ts";
import type { Call, EqualityOptions } from "./call.ts";
import { argumentFault, type GoldCall, matchAll } from "./gold_calls.ts";
import type { StrictJson } from "./strict_json.ts";

/** Why calls are refused; the first of format, tool, parameter that holds. */
export type FunctionCallCategory = "format" | "tool" | "parameter";

/** What is to be called. */
export interface FunctionCallGold {
  /** Empty: nothing is to be called. */
  readonly calls: readonly GoldCall[];
  /** Default values by tool and parameter, for `fillDefaults`. */
  readonly defaults?: ReadonlyMap<string, ReadonlyMap<string, StrictJson>>;
}

/** How calls are read and compared; everything off is exact agreement. */
export interface FunctionCallOptions extends EqualityOptions {
  /** Wire format of the reply; default `json`. */
  readonly adapter?: CallAdapterName;
  /** The order of the calls counts. */
  readonly sequence?: boolean;
  /** A parameter left out has its default, on both sides. */
  readonly fillDefaults?: boolean;
}

/** Longest reply after the thought, in characters, and most calls in it. */
const longest = 65_536;
const most = 64;
/** How a reply starts that tries to call something. */
const attempt = /^(?:[[{]|<tool_call>|<\|python_tag\|>|<｜tool▁calls▁begin｜>)/;

/**
 * Verifies tool calls by exact agreement with the gold calls: right tools, parameter
 * names and values. Calls form a multiset, objects are unordered, arrays ordered,
 * numbers compare by value, and nothing is coerced, trimmed or case-folded. With no
 * gold call, any reply that is no call is right.
 */
export function verifyFunctionCall(
  reply: string,
  gold: FunctionCallGold,
  options: FunctionCallOptions = {},
): Verdict<FunctionCallCategory> {
  const rest = afterThought(reply)?.trim();
  if (rest === undefined) return refuse("format", "the thought is not closed");
  if (rest.length > longest) return refuse("format", `${rest.length} characters, at most ${longest}`);
  const calls = callAdapters[options.adapter ?? "json"](rest);
  if (gold.calls.length === 0) {
    if (typeof calls === "string") return attempt.test(rest) ? refuse("format", calls, rest) : accept("");
    return calls.length === 0
      ? accept("")
      : refuse("tool", `calls ${calls[0].name.slice(0, 80)} where nothing is to be called`, rest);
  }
  if (typeof calls === "string") return refuse("format", calls, rest);
  if (calls.length > most) return refuse("format", `${calls.length} calls, at most ${most}`, rest);
  const fault = toolFault(calls, gold.calls);
  if (fault !== null) return refuse("tool", fault, rest);
  const parameter = parameterFault(calls, gold, options);
  return parameter === null ? accept(rest) : refuse("parameter", parameter, rest);
}

function toolFault(calls: readonly Call[], gold: readonly GoldCall[]): string | null {
  const left = gold.map(({ name }) => name);
  for (const { name } of calls) {
    const at = left.indexOf(name);
    if (at < 0) return `${name.slice(0, 80)} is not called for (again)`;
    left.splice(at, 1);
  }
  return left.length === 0 ? null : `${left[0]} is not called`;
}

function parameterFault(
  given: readonly Call[],
  gold: FunctionCallGold,
  options: FunctionCallOptions,
): string | null {
  const fill = (call: GoldCall): GoldCall => {
    const defaults = options.fillDefaults ? gold.defaults?.get(call.name) : undefined;
    return defaults === undefined || !("arguments" in call)
      ? call
      : { name: call.name, arguments: new Map([...defaults, ...call.arguments]) };
  };
  const calls = given.map(fill) as readonly Call[];
  const wanted = gold.calls.map(fill);
  const faults = calls.map((call) =>
    wanted.map((one) => one.name === call.name ? argumentFault(call, one, options) : `not ${one.name}`)
  );
  const agree = options.sequence
    ? faults.every((row, i) => row[i] === null)
    : matchAll(faults.map((row) => row.map((fault) => fault === null)));
  if (agree) return null;
  const at = faults.findIndex((row) => row.every((fault) => fault !== null));
  if (at < 0) {
    return options.sequence ? "the calls are in another order" : "two calls agree with the same gold call";
  }
  return `${calls[at].name}: ${faults[at][wanted.findIndex(({ name }) => name === calls[at].name)]}`;
}
