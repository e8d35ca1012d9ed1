import type { Json } from "../../env.ts";
import { RemoteFault } from "../remote_fault.ts";

/** The whole action or observation, as JSON. */
export const WHOLE = "*";

/** Where the reply goes and where the text comes from. */
export interface OpenEnvFields {
  /** Field of the action, or {@link WHOLE}. */
  readonly action: string;
  /** Field of the observation, or {@link WHOLE}. */
  readonly text: string;
}

type Schema = Readonly<Record<string, Json>>;

/** Fields that every action or observation of OpenEnv may have. */
const common = new Set(["metadata", "done", "reward"]);

/**
 * Fields as a server's `/schema` declares them, where the configuration names none: the
 * action's only required text (or its only text), the observation's only text.
 *
 * @throws RemoteFault `malformed` that lists the candidates
 */
export function findFields(schema: unknown, named: Partial<OpenEnvFields>): OpenEnvFields {
  const { action, observation } = (schema ?? {}) as { action?: Schema; observation?: Schema };
  return {
    action: named.action ?? pick(action, "action", "remote.action_field"),
    text: named.text ?? pick(observation, "observation", "remote.text_field"),
  };
}

function pick(schema: Schema | undefined, part: string, setting: string): string {
  const properties = Object.entries((schema?.properties ?? {}) as Record<string, Schema>);
  const texts = properties.filter(([name, type]) => !common.has(name) && isText(type)).map(([name]) => name);
  const required = (schema?.required ?? []) as readonly Json[];
  const must = part === "action" ? texts.filter((name) => required.includes(name)) : [];
  const found = must.length === 1 ? must : texts;
  if (found.length === 1) return found[0];
  const candidates = properties.map(([name]) => name).filter((name) => !common.has(name));
  throw new RemoteFault(
    "malformed",
    `cannot tell the ${part}'s text among ${candidates.join(", ") || "no fields"}: set ${setting}`,
  );
}

/** A text, or a text that may be missing. */
function isText(type: Schema): boolean {
  const kinds = [type, ...((type.anyOf ?? []) as readonly Schema[])].map((one) => one?.type);
  return kinds.includes("string");
}
