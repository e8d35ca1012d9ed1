import type { PromptFormat } from "../env.ts";
import { questionFormat } from "../question/question_format.ts";
import { afterThought } from "../verify/after_thought.ts";
import type { CallAdapterName } from "./adapters.ts";

const wordings: Readonly<Record<CallAdapterName, string>> = {
  json: 'Reply with nothing but a JSON list of calls, [{"name": ..., "arguments": {...}}].',
  llama3: 'Reply with nothing but {"name": ..., "parameters": {...}}, several separated by ";".',
  mistral: 'Reply with nothing but [TOOL_CALLS] [{"name": ..., "arguments": {...}}].',
  openai: 'Reply with nothing but a JSON list of {"type": "function", "function": {"name": ..., ' +
    '"arguments": "..."}}, the arguments as a JSON text.',
  deepseek: "Call the tools by <｜tool▁calls▁begin｜> ... <｜tool▁calls▁end｜> and write nothing else.",
  python: "Reply with nothing but a Python list of calls, [tool(parameter=value)].",
};

/** How tools are offered and calls are read in a wire format. */
export function callFormat(adapter: CallAdapterName): PromptFormat {
  return questionFormat(wordings[adapter], (reply) => afterThought(reply)?.trim() ?? null);
}

/** The request below the declarations of the tools. */
export function callQuestion(tools: string, query: string): string {
  return `Tools:\n${tools}\n\n${query}`;
}
