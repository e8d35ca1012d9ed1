import type { PromptFormat, Task, Turn } from "../../envs/env.ts";
import type { Negatives } from "../negatives/negatives.ts";
import { reflectivePrompt } from "../negatives/reflective_prompt.ts";
import type { Chat } from "../policy/chat.ts";
import { openOrExtend } from "./open_or_extend.ts";

/** Failed attempts in prompts, and how many of them. */
export interface Reflective {
  readonly negatives: Negatives;
  /** Share g(t) at `t` optimiser steps. */
  readonly share: (t: number) => number;
  /** Holds `{problem}` and `{attempt}`. */
  readonly template: string;
}

/** Where {@link reflectiveOpening} is. */
export interface OpeningPlace {
  readonly task: Task;
  /** What the environment says first. */
  readonly first: Turn;
  /** Coordinates that choose among several attempts. */
  readonly seed: string;
  readonly chat: Chat;
  readonly format: PromptFormat;
}

/**
 * The ids of a conversation's opening with a failed attempt at its task, made when
 * called; undefined if there is none for it. It differs from the direct opening in the
 * user message alone.
 */
export function reflectiveOpening(
  { negatives, template }: Reflective,
  { task, first, seed, chat, format }: OpeningPlace,
): (() => number[]) | undefined {
  const negative = negatives.of(task.id, seed);
  if (negative === undefined) return undefined;
  return () => {
    const user = reflectivePrompt({
      template,
      problem: format.user(first, 0, ""),
      attempt: negative.attempt,
      specialTokens: chat.specialTokens ?? [],
    });
    return openOrExtend([], task, user, chat, format);
  };
}
