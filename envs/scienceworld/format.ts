import type { PromptFormat } from "../env.ts";

const commands = [
  "look around",
  "look at OBJ",
  "look in OBJ",
  "read OBJ",
  "inventory",
  "task",
  "focus on OBJ",
  "go to LOC",
  "teleport to LOC",
  "open OBJ",
  "close OBJ",
  "pick up OBJ",
  "put down OBJ",
  "move OBJ to OBJ",
  "pour OBJ into OBJ",
  "dunk OBJ into OBJ",
  "mix OBJ",
  "activate OBJ",
  "deactivate OBJ",
  "use OBJ on OBJ",
  "connect OBJ to OBJ",
  "disconnect OBJ",
  "eat OBJ",
  "flush OBJ",
  "wait",
  "wait1",
];

/**
 * How ScienceWorld speaks to a policy: a system message with the commands; then
 * observations, guidance on a line of its own, and the turn's number. The action
 * stands between `<action>` and `</action>`; of a reply without them it is all that
 * follows the thought.
 */
export const scienceWorldFormat: PromptFormat = {
  system: () =>
    "You are an agent in a science laboratory of several rooms. Do the task that is given. " +
    "Focus only on what the task tells you to focus on: a wrong focus ends the episode.\n" +
    `Commands (OBJ is an object, LOC a place): ${commands.join(", ")}.\n` +
    "Think first, then answer with one command: <think>...</think> <action>...</action>",
  user: (turn, k, guidance) =>
    `${turn.observation}${guidance === "" ? "" : `\nGuidance: ${guidance}`}\nstep:${k}`,
  action: (reply) => {
    const tagged = [...reply.matchAll(/<action>([^<]*)<\/action>/g)].at(-1)?.[1];
    const end = reply.lastIndexOf("</think>");
    return (tagged ?? (end < 0 ? reply : reply.slice(end + "</think>".length))).trim();
  },
};
