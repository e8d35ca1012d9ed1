/**
 * The contract between environments and everything else.
 *
 * An author writes a {@link TextEnv} (a plain class, synchronous or not) and a
 * {@link TaskSource}; {@link Environment} is the service that stages ask for,
 * made from the two by `environmentLayer`, which adds deadlines and typed errors.
 *
 * @module
 */
import { Context, type Effect, type Scope } from "effect";
import type { EnvError } from "../stages/errors.ts";

/** Anything that JSON can hold. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** A task: plain JSON, so that it can be stored, compared and sent to a worker. */
export interface Task {
  /** Unique within the environment, e.g. `household/train/1/000123`. */
  readonly id: string;
  /** Kind of task, for statistics, e.g. `pick_heat_then_place_in_recep`. */
  readonly kind: string;
  /** What `TextEnv.reset` needs. */
  readonly payload: Json;
}

/** What an environment says after a reset or a step. */
export interface Turn {
  readonly observation: string;
  /** Commands that will do something now, sorted by code unit, if the environment can tell. */
  readonly admissible?: readonly string[];
  /** Reward of this step. */
  readonly reward: number;
  /** Score of the episode so far; success is `won`. */
  readonly score: number;
  /** The episode is over; further steps return the same turn with reward 0. */
  readonly done: boolean;
  readonly won: boolean;
  /** Over because the turn limit was reached. */
  readonly truncated: boolean;
}

/** A restorable, JSON-able, versioned state. */
export type Snapshot = Json;

/**
 * What an environment found of a finished episode, in words that can be counted. It
 * is for statistics and never shown to a policy.
 */
export interface EpisodeVerdict {
  /** `unparseable`: there was no answer to judge; `unchecked`: judging took too long or failed, so nothing is known. */
  readonly outcome: "right" | "wrong" | "unparseable" | "unchecked";
  /** `ok`, or the one reason; those of an environment exclude each other. */
  readonly category: string;
  /** The answer in its plainest form, equal for equal answers; null where there is none to compare. */
  readonly answer: string | null;
}

type Maybe<T> = T | Promise<T>;

/**
 * One episode's world. Total on any text: `step` never throws on what an agent
 * writes, it answers that nothing happened.
 */
export interface TextEnv {
  reset(task: Task): Maybe<Turn>;
  step(action: string): Maybe<Turn>;
  snapshot(): Maybe<Snapshot>;
  /** Returns the turn that was current when the snapshot was taken. */
  restore(snapshot: Snapshot): Maybe<Turn>;
  /** Canonical hash of the hidden state. */
  fingerprint(): string;
  /** Commands that win from this state; empty if none does or the episode is won. */
  oracle(): string[];
  /** The environment's verdict on the finished episode in one line: what was not met, or success. */
  feedback(): string;
  /** The verdict on the finished episode for statistics, where the environment has more to say than won or not. */
  verdict?(): EpisodeVerdict | null;
  close?(): Maybe<void>;
}

/** Names of the splits; `valid` is for choosing recipes, `test` for the final claim. */
export type Split = "train" | "valid" | "test";

/** Tasks by split and index, generated or read. */
export interface TaskSource {
  /** Number of tasks in the split; Infinity when generated. */
  size(split: Split): number;
  task(split: Split, index: number): Maybe<Task>;
}

/** How an environment speaks to a policy and reads its replies: format and parser in one object. */
export interface PromptFormat {
  /** System message, or "" for none. */
  system(task: Task): string;
  /** User message for turn `k` (0-based). `guidance` is "" in every view that is trained without it. */
  user(turn: Turn, k: number, guidance: string): string;
  /** The action in a reply; the whole trimmed reply if there is no format. Never throws. */
  action(reply: string): string;
}

/** One line of an episode's log. */
export interface LogLine {
  readonly action: string;
  readonly observation: string;
}

/**
 * An expert's reading of a finished episode, in the words of a reflection report.
 * It serves demonstrations and evaluation; nothing that trains by reinforcement
 * sees it.
 */
export interface ExpertDiagnosis {
  readonly success: boolean;
  /** What was reached, in a few words. */
  readonly summary: string;
  /** Why it failed, in a few words; "" on success. */
  readonly cause: string;
  /** The first turn that shows the cause, 0-based; 0 on success. */
  readonly pivot: number;
  /** What to do at the pivot instead; "" on success. */
  readonly suggestion: string;
}

/** One open episode: a {@link TextEnv} whose operations are effects with deadlines. */
export interface Episode {
  readonly task: Task;
  readonly reset: Effect.Effect<Turn, EnvError>;
  readonly step: (action: string) => Effect.Effect<Turn, EnvError>;
  readonly snapshot: Effect.Effect<Snapshot, EnvError>;
  readonly restore: (snapshot: Snapshot) => Effect.Effect<Turn, EnvError>;
  readonly fingerprint: Effect.Effect<string, EnvError>;
  readonly oracle: Effect.Effect<readonly string[], EnvError>;
  readonly feedback: Effect.Effect<string, EnvError>;
  readonly verdict?: Effect.Effect<EpisodeVerdict | null, EnvError>;
}

/** The service's methods. */
export interface EnvironmentShape {
  readonly name: string;
  readonly format: PromptFormat;
  readonly size: (split: Split) => number;
  readonly task: (split: Split, index: number) => Effect.Effect<Task, EnvError>;
  /** Opens an episode that is closed with the scope. */
  readonly open: (task: Task) => Effect.Effect<Episode, EnvError, Scope.Scope>;
  /** An expert's diagnosis of a finished episode, where the environment has one. */
  readonly expert?: (task: Task, first: string, log: readonly LogLine[], feedback: string) => ExpertDiagnosis;
}

/** The environment service. */
export class Environment extends Context.Service<Environment, EnvironmentShape>()("pivot/Environment") {}
