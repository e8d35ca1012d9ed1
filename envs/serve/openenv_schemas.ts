/**
 * JSON Schemas of what an environment of ours takes and gives over OpenEnv, as
 * `/schema` publishes them.
 */
export const openEnvSchemas = {
  action: {
    title: "TextAction",
    type: "object",
    additionalProperties: false,
    required: ["message"],
    properties: {
      message: { type: "string", title: "Message", description: "What the agent does, in its own words" },
      metadata: { type: "object", title: "Metadata", additionalProperties: true },
    },
  },
  observation: {
    title: "TextObservation",
    type: "object",
    required: ["text", "score", "won", "truncated"],
    properties: {
      text: { type: "string", title: "Text", description: "What the environment says" },
      done: { type: "boolean", title: "Done", default: false },
      reward: { anyOf: [{ type: "number" }, { type: "null" }], title: "Reward", default: null },
      messages: {
        type: "array",
        items: { type: "object" },
        title: "Messages",
        description: "The same as messages for a chat, {role, content}, in the environment's own format",
      },
      admissible: {
        anyOf: [{ type: "array", items: { type: "string" } }, { type: "null" }],
        title: "Admissible",
        description: "Commands that do something now; null where that is not known",
      },
      score: { type: "number", title: "Score", description: "Score of the episode so far" },
      won: { type: "boolean", title: "Won" },
      truncated: { type: "boolean", title: "Truncated", description: "Over because the turns ran out" },
      verdict: {
        type: "object",
        title: "Verdict",
        description: "After the end: {feedback}, what was not met, or success; else empty",
      },
      metadata: { type: "object", title: "Metadata", additionalProperties: true },
    },
  },
  state: {
    title: "State",
    type: "object",
    additionalProperties: true,
    properties: {
      episode_id: { anyOf: [{ type: "string" }, { type: "null" }], title: "Episode Id", default: null },
      step_count: { type: "integer", minimum: 0, title: "Step Count", default: 0 },
      task_id: { anyOf: [{ type: "string" }, { type: "null" }], title: "Task Id" },
      kind: { anyOf: [{ type: "string" }, { type: "null" }], title: "Kind" },
    },
  },
} as const;
