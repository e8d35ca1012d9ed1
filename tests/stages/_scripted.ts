/**
 * Services for tests of the stages that play: a policy whose replies are given by
 * a function, with one token a character, and a small world that wins when its
 * word has been spelt letter by letter.
 *
 * @module
 */
import { Effect, Layer } from "effect";
import { Environment, type Json, type PromptFormat, type Task, type Turn } from "../../envs/env.ts";
import { EnvError } from "../../stages/errors.ts";
import type { Chat } from "../../stages/policy/chat.ts";
import { type GenerateRequest, Policy } from "../../stages/policy/policy.ts";

/** Ends an assistant turn; stands for any token id below 32. */
export const END = 2;
const OPEN = 1;

/** One id a character; `<user>` text `<1>` assistant text `<2>`. */
export const characterChat: Chat = {
  vocabularySize: 65536,
  stopIds: new Set([END]),
  open: (messages) => [...messages.flatMap((m) => codes(m.content)), OPEN],
  extend: (user, ended) => [...(ended ? [] : [END]), ...codes(user), OPEN],
  encode: codes,
  decode: (ids) => String.fromCharCode(...ids),
  token: (id) => String.fromCharCode(id),
};

function codes(text: string): number[] {
  return [...text].map((c) => c.charCodeAt(0));
}

/** What a scripted policy was asked, in order. */
export interface Asked {
  readonly requests: GenerateRequest[][];
}

/** A policy that answers each request with `reply(context, request)`; `null` = runs to the token limit. */
export function scriptedPolicy(
  reply: (context: string, request: GenerateRequest) => string | null,
  options: { readonly contextLength?: number } = {},
): Layer.Layer<Policy> & { readonly asked: Asked } {
  const asked: Asked = { requests: [] };
  const layer = Layer.succeed(Policy, {
    chat: characterChat,
    contextLength: options.contextLength ?? 100_000,
    generate: (requests) =>
      Effect.sync(() => {
        asked.requests.push(requests.map((r) => ({ ...r, ids: [...r.ids] })));
        return requests.map((request) => {
          const text = reply(characterChat.decode(request.ids), request);
          const ids = text === null
            ? codes("x".repeat(request.maxTokens))
            : [...codes(text), END].slice(0, request.maxTokens);
          const stopped = ids.at(-1) === END;
          return {
            ids,
            logprobs: ids.map(() => -0.5),
            stopReason: stopped ? "stop" as const : "length" as const,
          };
        });
      }),
    release: () => Effect.void,
    sync: () => Effect.void,
    version: Effect.succeed(7),
    counters: Effect.succeed({ generatedTokens: 0, prefillTokens: 0 }),
  });
  return Object.assign(layer, { asked });
}

interface World {
  readonly spelt: string;
  readonly turns: number;
}

/** Faults of a {@link spellingWorld}. */
export interface WorldFaults {
  /** Fails `step` on this action. */
  readonly breaksOn?: string;
  /** `open` fails for tasks with this id. */
  readonly cannotOpen?: string;
  /** `restore` answers with another observation. */
  readonly forgets?: boolean;
  /** `restore` replays, and answers otherwise from this turn on. */
  readonly divergesAt?: number;
  /** Milliseconds that a step takes, by action. */
  readonly delay?: (action: string) => number;
}

export const spellingFormat: PromptFormat = {
  system: () => "",
  user: (turn, k, guidance) => `{${turn.observation}${guidance === "" ? "" : `|${guidance}`}#${k}}`,
  action: (reply) => reply.trim(),
};

/** A task whose word is `word`; the limit is 6 turns. */
export function spellingTask(word: string): Task {
  return { id: `spell/${word}`, kind: "spell", payload: word };
}

/** The world: each action that is the word's next letter is added; others change nothing. */
export function spellingWorld(faults: WorldFaults = {}): Layer.Layer<Environment> {
  return Layer.succeed(Environment, {
    name: "spelling",
    format: spellingFormat,
    size: () => Infinity,
    task: (_split, index) => Effect.succeed(spellingTask(["ab", "abc", "cab"][index % 3])),
    open: (task) => {
      if (faults.cannotOpen === task.id) return Effect.fail(error(task, "open"));
      const word = task.payload as string;
      let world: World = { spelt: "", turns: 0 };
      const turn = (): Turn => {
        const won = world.spelt === word;
        const done = won || world.turns >= 6;
        const observation = `see ${world.spelt || "nothing"}`;
        return { observation, reward: won ? 1 : 0, score: Number(won), done, won, truncated: done && !won };
      };
      return Effect.succeed({
        task,
        reset: Effect.sync(() => {
          world = { spelt: "", turns: 0 };
          return turn();
        }),
        step: (action: string) =>
          Effect.gen(function* () {
            if (faults.delay !== undefined) yield* Effect.sleep(`${faults.delay(action)} millis`);
            if (faults.breaksOn === action) return yield* Effect.fail(error(task, "step"));
            const next = word[world.spelt.length];
            world = { spelt: action === next ? world.spelt + next : world.spelt, turns: world.turns + 1 };
            return turn();
          }),
        snapshot: Effect.sync(() => ({ ...world }) as unknown as Json),
        restore: (snapshot: Json) =>
          Effect.suspend(() => {
            world = snapshot as unknown as World;
            const { divergesAt: divergedAt = Infinity } = faults;
            if (world.turns >= divergedAt) {
              return Effect.fail(new EnvError({ ...error(task, "restore"), divergedAt }));
            }
            return Effect.succeed(faults.forgets === true ? { ...turn(), observation: "see fog" } : turn());
          }),
        fingerprint: Effect.sync(() => world.spelt),
        oracle: Effect.sync(() => [...word.slice(world.spelt.length)]),
        feedback: Effect.sync(() => (world.spelt === word ? "Success." : `Failure: spelt ${world.spelt}.`)),
      });
    },
  });
}

function error(task: Task, operation: string): EnvError {
  return new EnvError({ environment: "spelling", task: task.id, operation, reason: "broken on purpose" });
}

/** A report as the policy writes it. */
export function reportText(outcome: string, suggestion: string | null, pivot: unknown): string {
  return JSON.stringify({
    trajectory_summary: "spelt",
    root_cause_analysis: outcome === "success" ? null : "wrong letter",
    trajectory_outcome: outcome,
    improvement_suggestion: suggestion,
    retry_from_step: pivot,
  });
}
