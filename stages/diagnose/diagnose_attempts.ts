import { Effect } from "effect";
import { Policy } from "../policy/policy.ts";
import type { Attempt, Diagnosis } from "../record.ts";
import { seedPath } from "../seed.ts";
import { parseReport } from "./parse_report.ts";
import { reflectionPrompt } from "./reflection_prompt.ts";
import { textReport } from "./text_report.ts";

/** How `diagnose` asks for reports. */
export interface DiagnoseOptions {
  /** Off: attempts pass through, none with a report. */
  readonly reflection: boolean;
  /** Whether attempts that won are asked too. Default true. */
  readonly successes?: boolean;
  /** Sampling temperature of reports; 0 = greedy. */
  readonly temperature: number;
  /** Most tokens of one report. */
  readonly maxTokens: number;
  /** What the policy is asked to write, after the log and the verdict. */
  readonly instruction: string;
  /**
   * `report`: the reply must be a report; `text`: whatever is written, cut or not, is
   * advice on a failure (Reflect, Retry, Reward). Default `report`.
   */
  readonly form?: "report" | "text";
}

/**
 * Lets the policy write a report on every finished attempt, in one batch. Attempts that
 * are not asked (failed ones, and those that fill the context) are not in the result.
 */
export const diagnoseAttempts = Effect.fnUntraced(
  function* (attempts: readonly Attempt[], options: DiagnoseOptions) {
    const policy = yield* Policy;
    const room = policy.contextLength - options.maxTokens;
    const contexts = new Map<Attempt, number[]>();
    for (const attempt of options.reflection ? attempts : []) {
      if (attempt.failure !== undefined || attempt.turns.length === 0) continue;
      if (options.successes === false && attempt.won) continue;
      const ended = attempt.turns.at(-1)?.stopReason === "stop";
      const prompt = policy.chat.extend(
        reflectionPrompt(
          attempt.turns.at(-1)?.observation ?? attempt.firstObservation,
          attempt.feedback,
          options.instruction,
        ),
        ended,
      );
      if (attempt.ids.length + prompt.length <= room) contexts.set(attempt, [...attempt.ids, ...prompt]);
    }
    const asked = [...contexts];
    const replies = yield* policy.generate(asked.map(([attempt, ids]) => ({
      ids,
      maxTokens: options.maxTokens,
      temperature: options.temperature,
      seed: seedPath(attempt.session, "reflect"),
      session: attempt.session,
    })));
    return new Map(asked.map(([attempt, ids], i): [Attempt, Diagnosis] => {
      const reply = replies[i];
      const tokens = {
        ids: [...ids, ...reply.ids],
        mask: [...ids.map(() => 0 as const), ...reply.ids.map(() => 1 as const)],
        logprobs: [...ids.map(() => 0), ...reply.logprobs],
      };
      const isWhole = reply.stopReason === "stop";
      const text = policy.chat.decode(isWhole ? reply.ids.slice(0, -1) : reply.ids);
      if (options.form === "text") return [attempt, { tokens, ...textReport(text, isWhole) }];
      if (!isWhole) return [attempt, { tokens, report: null, invalid: "truncated" }];
      const parsed = parseReport(text, attempt.turns.length);
      return [attempt, "report" in parsed ? { tokens, ...parsed } : { tokens, report: null, ...parsed }];
    }));
  },
);
