import { type Call, callsOf, isList, parseCalls } from "./call.ts";
import { pythonCalls } from "./python_calls.ts";
import { JsonFault, jsonPrefix, strictJson } from "./strict_json.ts";

/** Reads the calls in a reply, less its thought; what is wrong comes as a text. Never throws. */
export type CallAdapter = (reply: string) => readonly Call[] | string;

/** A JSON list or object of calls, or `<tool_call>` blocks of one object each; one code fence is removed. */
const json: CallAdapter = (reply) => {
  const text = withoutFence(reply.trim());
  return text.startsWith("<tool_call>") ? blocks(text, "<tool_call>", "</tool_call>") : parseCalls(text);
};

/** Llama 3: `{"name", "parameters"}` objects separated by `;`, after an optional `<|python_tag|>`. */
const llama3: CallAdapter = (reply) => {
  const text = reply.trim().replace(/^<\|python_tag\|>/, "").replace(/<\|(?:eom|eot)_id\|>$/, "").trim();
  const calls: Call[] = [];
  for (let at = 0; at < text.length;) {
    const { value, end } = jsonPrefix(text, at);
    if (value instanceof JsonFault) return `${value.reason} at ${value.at}`;
    const read = callsOf(value, "parameters");
    if (typeof read === "string") return read;
    calls.push(...read);
    if (end < text.length && text[end] !== ";") return `text behind the call at ${end}`;
    at = end + 1;
  }
  return calls.length === 0 ? "no call" : calls;
};

/** Mistral: `[TOOL_CALLS]` and a JSON list; an `id` beside the two keys is ignored. */
const mistral: CallAdapter = (reply) => {
  const text = reply.trim().replace(/<\/s>$/, "");
  if (!text.startsWith("[TOOL_CALLS]")) return "no [TOOL_CALLS]";
  const value = strictJson(text.slice("[TOOL_CALLS]".length));
  if (value instanceof JsonFault) return `${value.reason} at ${value.at}`;
  return callsOf((isList(value) ? value : [value]).map((item) => {
    if (!(item instanceof Map)) return item;
    return new Map([...item].filter(([key]) => key !== "id"));
  }));
};

/** OpenAI: `{"type": "function", "function": {"name", "arguments": "<JSON>"}}`, one or a list. */
const openai: CallAdapter = (reply) => {
  const value = strictJson(withoutFence(reply.trim()));
  if (value instanceof JsonFault) return `${value.reason} at ${value.at}`;
  const calls: Call[] = [];
  for (const item of isList(value) ? value : [value]) {
    const call = item instanceof Map ? item.get("function") : undefined;
    if (!(call instanceof Map)) return "a call has no function";
    const text = call.get("arguments");
    if (typeof text !== "string") return "arguments is no text";
    const given = strictJson(text);
    if (given instanceof JsonFault) return `arguments: ${given.reason} at ${given.at}`;
    const read = callsOf(new Map([...call, ["arguments", given]]));
    if (typeof read === "string") return read;
    calls.push(...read);
  }
  return calls;
};

/** DeepSeek-V3: calls between its tool markers, each `function<｜tool▁sep｜>name` and a fenced JSON. */
const deepseek: CallAdapter = (reply) => {
  const text = reply.trim().replace(/<｜end▁of▁sentence｜>$/, "").trim();
  const [open, close] = ["<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>"];
  if (!text.startsWith(open) || !text.endsWith(close)) return "no tool markers around the calls";
  const calls: Call[] = [];
  for (const part of text.slice(open.length, -close.length).split("<｜tool▁call▁end｜>")) {
    if (part.trim() === "") continue;
    const match = /^\s*<｜tool▁call▁begin｜>function<｜tool▁sep｜>([^\n]+)\n([^]*)$/.exec(part);
    if (match === null) return "a call without its markers";
    const given = strictJson(withoutFence(match[2].trim()));
    if (given instanceof JsonFault) return `arguments: ${given.reason} at ${given.at}`;
    const read = callsOf(new Map([["name", match[1].trim()], ["arguments", given]]));
    if (typeof read === "string") return read;
    calls.push(...read);
  }
  return calls.length === 0 ? "no call" : calls;
};

/** Wire formats of model families by name; `json` also reads Qwen's and Hermes' `<tool_call>` blocks. */
export const callAdapters = {
  json,
  llama3,
  mistral,
  openai,
  deepseek,
  python: pythonCalls,
} as const satisfies Readonly<Record<string, CallAdapter>>;

/** A name in {@link callAdapters}. */
export type CallAdapterName = keyof typeof callAdapters;

function withoutFence(text: string): string {
  if (!text.startsWith("```") || !text.endsWith("```") || text.length < 6) return text;
  return text.slice(3, -3).replace(/^[A-Za-z_]*\s/, "").trim();
}

function blocks(text: string, open: string, close: string): readonly Call[] | string {
  const calls: Call[] = [];
  for (let at = 0; at < text.length;) {
    const end = text.indexOf(close, at);
    if (!text.startsWith(open, at)) return `text outside the blocks at ${at}`;
    if (end < 0) return `${open} is not closed`;
    const read = parseCalls(text.slice(at + open.length, end));
    if (typeof read === "string") return read;
    if (read.length !== 1) return `${read.length} calls in one block`;
    calls.push(...read);
    at = end + close.length;
    while (text[at] === "\n" || text[at] === " ") at++;
  }
  return calls;
}
