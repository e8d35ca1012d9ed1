import type { Json } from "../../env.ts";

/** How one of AgentGym's servers is spoken to; they share habits, not a schema. */
export interface AgentGymGame {
  /** Name of the session's number in requests. */
  readonly id: string;
  /** Name of the task's number in `/reset`. */
  readonly index: string;
  /** Further fields of `/reset`. */
  readonly reset?: Readonly<Record<string, Json>>;
  /** Fields of the answer to `/reset` that make the first text; none = `GET /observation` has it. */
  readonly first: readonly string[];
  /** Field with the text in the answer to `/step`. */
  readonly text: string;
  /** Field with the admissible commands in both answers. */
  readonly admissible?: string;
  /** Field with the score of the episode and what makes it 1 when won; none = the sum of rewards. */
  readonly score?: { readonly field: string; readonly most: number };
  /** Whether there is a `/close`. */
  readonly closes: boolean;
}

const numbered = { id: "id", index: "data_idx", first: ["observation"], text: "observation" } as const;

/**
 * The servers whose tasks are one number, as their clients use them
 * (WooooDyy/AgentGym at 3ef9235, `agentenv/agentenv/envs` and `agentenv-*`).
 */
export const agentGymGames = {
  alfworld: {
    ...numbered,
    index: "game",
    reset: { world_type: "Text" },
    admissible: "available_actions",
    closes: false,
  },
  sciworld: {
    ...numbered,
    first: ["task_description", "observation"],
    score: { field: "score", most: 100 },
    closes: true,
  },
  webshop: { id: "env_idx", index: "session_id", first: [], text: "state", closes: false },
  textcraft: { ...numbered, closes: true },
  babyai: { ...numbered, score: { field: "score", most: 1 }, closes: true },
} as const satisfies Record<string, AgentGymGame>;
