import type { PromptFormat } from "../env.ts";

/**
 * How single questions are asked and answers read, as one object: the first message
 * is the question and `instruction`, `answer` finds the answer that the
 * instruction asks for and writes it in its plainest form, or null. The action is that
 * form, or the whole trimmed reply, so that a verifier says the same of both.
 */
export function questionFormat(
  instruction: string,
  answer: (reply: string) => string | null,
): PromptFormat {
  return {
    system: () => "",
    user: (turn, k, guidance) =>
      [turn.observation, k === 0 ? instruction : "", guidance === "" ? "" : `Guidance: ${guidance}`]
        .filter((part) => part !== "").join("\n"),
    action: (reply) => answer(reply) ?? reply.trim(),
  };
}
