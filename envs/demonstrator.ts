/**
 * Demonstrations that a warm start imitates: finished episodes with what of them
 * is to be learned. An environment offers them as a {@link School}; nothing here
 * knows an algorithm.
 *
 * @module
 */
import type { ExpertDiagnosis, PromptFormat, Task, Turn } from "./env.ts";

/** One demonstrated episode, or the part of one after a guided restart. */
export interface Lesson {
  readonly task: Task;
  /** What the environment said before each action, and last of all: one more than `actions`. */
  readonly turns: readonly Turn[];
  readonly actions: readonly string[];
  /** Actions before this turn are context only. */
  readonly from: number;
  /** Guidance that stands at turn `from`; "" = none. */
  readonly guidance: string;
  /** A failed attempt at the task that the first message shows, if any: the lesson repairs it. */
  readonly shown?: string;
  /** The environment's verdict in one line. */
  readonly feedback: string;
  /** The reflection to be learned after the episode, if any. */
  readonly diagnosis?: ExpertDiagnosis;
}

/** Demonstrators by what they teach: first what can be done, then a systematic flaw. */
export type Curriculum = "capable" | "flawed" | "blind";

/** Yields the lessons of training task `index`; deterministic. */
export type Demonstrate = (index: number, curriculum: Curriculum) => readonly Lesson[];

/** What a warm start needs from an environment: lessons, their format, and the texts that a tokenizer must know. */
export interface School {
  readonly lessons: Demonstrate;
  readonly format: PromptFormat;
  /** Fixed phrases of the texts, one token each. */
  readonly phrases: readonly string[];
  /** Words that texts may need beside those of a sample of lessons. */
  readonly words: readonly string[];
}
