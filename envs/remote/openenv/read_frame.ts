import type { Json } from "../../env.ts";
import { RemoteFault, shown } from "../remote_fault.ts";

/** What an OpenEnv server may answer to `reset`, `step` and `state`. */
export type OpenEnvFrame =
  | {
    readonly type: "observation";
    readonly observation: Readonly<Record<string, Json>>;
    /** Null where the server gives none, as after a reset. */
    readonly reward: number | null;
    readonly done: boolean;
  }
  | { readonly type: "state"; readonly state: Readonly<Record<string, Json>> }
  | { readonly type: "error"; readonly code: string; readonly message: string };

/**
 * Reads one text frame of OpenEnv's `/ws` (openenv 0.10, `env_server/types.py`). A
 * reward may be a truth value, which counts 1 or 0.
 *
 * @throws RemoteFault `malformed`, which names the field
 */
export function readFrame(text: string): OpenEnvFrame {
  const fail = (what: string, got: unknown) =>
    new RemoteFault("malformed", `the answer's ${what}, got ${shown(got)}`);
  let frame: unknown;
  try {
    frame = JSON.parse(text);
  } catch {
    throw new RemoteFault("malformed", `the answer is no JSON: ${shown(text)}`);
  }
  if (!isObject(frame)) throw new RemoteFault("malformed", `the answer is no object: ${shown(text)}`);
  const { type, data } = frame;
  if (!isObject(data)) throw fail("field data is no object", data);
  switch (type) {
    case "error": {
      const { code, message } = data;
      return { type, code: String(code ?? "UNKNOWN"), message: messageOf(message, data.errors) };
    }
    case "state":
      return { type, state: data as Record<string, Json> };
    case "observation": {
      const { observation, reward = null, done = false } = data;
      if (!isObject(observation)) throw fail("field data.observation is no object", observation);
      const number = typeof reward === "boolean" ? Number(reward) : reward;
      if (number !== null && !(typeof number === "number" && Number.isFinite(number))) {
        throw fail("field data.reward is no number", reward);
      }
      if (typeof done !== "boolean") throw fail("field data.done is neither true nor false", done);
      return { type, observation: observation as Record<string, Json>, reward: number, done };
    }
    default:
      throw fail("field type is none of observation, state and error", type);
  }
}

/** The message, with the fields that a validation error names. */
function messageOf(message: unknown, errors: unknown): string {
  const fields = Array.isArray(errors)
    ? errors.filter(isObject).map(({ loc, msg }) =>
      `${Array.isArray(loc) ? loc.join(".") : "?"}: ${shown(msg)}`
    )
    : [];
  return [shown(message ?? "no message"), ...fields.slice(0, 5)].join("; ");
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
