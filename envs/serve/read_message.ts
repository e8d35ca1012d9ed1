import type { Split } from "../env.ts";
import { type FieldFault, ServeFault } from "./serve_fault.ts";

/** What a reset asks for. */
export interface ResetRequest {
  readonly split: Split;
  /** Position in the split; null = the server's next. */
  readonly index: number | null;
  /** Whether a position past the end counts on from the start: a seed does, an index does not. */
  readonly wraps: boolean;
  readonly episodeId: string | null;
}

/** A client's message, checked. */
export type ClientMessage =
  | { readonly type: "reset"; readonly request: ResetRequest }
  | { readonly type: "step"; readonly message: string }
  | { readonly type: "state" }
  | { readonly type: "close" };

/** Longest id of an episode, as OpenEnv's own server has it. */
const longestId = 255;

/**
 * Reads a text frame of OpenEnv's `/ws`. Of a reset, `seed` or `index` is the position
 * in `split` (default `train`); keys that it does not know are left alone, as the
 * Python server does. An action has `message` and nothing else but `metadata`.
 *
 * @throws ServeFault with OpenEnv's code, and for VALIDATION_ERROR with the fields
 */
export function readMessage(text: string): ClientMessage {
  let frame: unknown;
  try {
    frame = JSON.parse(text);
  } catch (error) {
    throw new ServeFault("INVALID_JSON", `Invalid JSON: ${(error as Error).message.slice(0, 80)}`);
  }
  if (!isObject(frame)) throw new ServeFault("UNKNOWN_TYPE", "Unknown message type: none");
  const { type, data = {} } = frame;
  switch (type) {
    case "reset":
      return { type, request: resetRequest(asObject(data, "data")) };
    case "step":
      return { type, message: message(asObject(frame.data, "data")) };
    case "state":
    case "close":
      return { type };
    default:
      throw new ServeFault("UNKNOWN_TYPE", `Unknown message type: ${typeName(type).slice(0, 40)}`);
  }
}

/** Not `String`, which objects of a client's making can make throw. */
function typeName(type: unknown): string {
  return typeof type === "string" ? type : JSON.stringify(type) ?? "none";
}

function resetRequest({ seed = null, index: place = null, split = "train", episode_id: id = null }: Fields) {
  const wraps = place === null;
  const index = place ?? seed;
  const faults: FieldFault[] = [];
  if (index !== null && !(Number.isSafeInteger(index) && (index as number) >= 0)) {
    const loc = [wraps ? "seed" : "index"];
    faults.push({ type: "int_type", loc, msg: "Input should be a whole number of at least 0" });
  }
  if (split !== "train" && split !== "valid" && split !== "test") {
    faults.push({ type: "literal_error", loc: ["split"], msg: "Input should be 'train', 'valid' or 'test'" });
  }
  if (id !== null && (typeof id !== "string" || id.length > longestId)) {
    faults.push({
      type: "string_type",
      loc: ["episode_id"],
      msg: `Input should be a text of at most ${longestId} characters`,
    });
  }
  refuse(faults);
  return { split: split as Split, index: index as number | null, wraps, episodeId: id as string | null };
}

function message(action: Fields): string {
  const { message: said, metadata = {}, ...others } = action;
  const faults: FieldFault[] = Object.keys(others).slice(0, 10).map((name) => ({
    type: "extra_forbidden",
    loc: [name.slice(0, 40)],
    msg: "Extra inputs are not permitted",
  }));
  if (said === undefined) faults.push({ type: "missing", loc: ["message"], msg: "Field required" });
  else if (typeof said !== "string") {
    faults.push({ type: "string_type", loc: ["message"], msg: "Input should be a valid string" });
  }
  if (!isObject(metadata)) {
    faults.push({ type: "dict_type", loc: ["metadata"], msg: "Input should be a valid dictionary" });
  }
  refuse(faults);
  return said as string;
}

type Fields = Readonly<Record<string, unknown>>;

function asObject(value: unknown, name: string): Fields {
  if (!isObject(value)) {
    refuse([{ type: "dict_type", loc: [name], msg: "Input should be a valid dictionary" }]);
  }
  return value as Fields;
}

function refuse(faults: readonly FieldFault[]): void {
  if (faults.length > 0) throw new ServeFault("VALIDATION_ERROR", "Invalid message", faults);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
