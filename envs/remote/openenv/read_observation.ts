import type { RemoteConfig } from "../../../stages/config/remote_config.ts";
import type { Json } from "../../env.ts";
import { RemoteFault, shown } from "../remote_fault.ts";
import type { RemoteAnswer } from "../remote_session.ts";
import { WHOLE } from "./find_fields.ts";
import type { OpenEnvFrame } from "./read_frame.ts";

type Observation = Extract<OpenEnvFrame, { readonly type: "observation" }>;

/** Reads text, commands, score and verdict out of an observation. @throws RemoteFault that names the field */
export function readObservation(
  { observation, reward, done }: Observation,
  text: string,
  config: RemoteConfig,
): RemoteAnswer {
  const wrong = (path: string, what: string, got: unknown) =>
    new RemoteFault("malformed", `the observation's field ${path} is ${what}, got ${shown(got)}`);
  const at = (path: string): unknown =>
    path.split(".").reduce(
      (value: unknown, name) =>
        Object(value) === value ? (value as Record<string, unknown>)[name] : undefined,
      observation,
    );
  const { admissible_field: list, score_field: score, feedback_field: verdict } = config;
  const shownText = text === WHOLE ? JSON.stringify(withoutMetadata(observation)) : at(text);
  if (typeof shownText !== "string") throw wrong(text, "no text", shownText);
  const commands = list === null ? undefined : at(list);
  if (list !== null && !isListOfTexts(commands)) throw wrong(list, "no list of texts", commands);
  const points = score === null ? null : at(score);
  if (score !== null && !Number.isFinite(points)) throw wrong(score, "no number", points);
  const feedback = verdict === null ? undefined : at(verdict);
  return {
    observation: shownText,
    ...(commands !== undefined && { admissible: commands as string[] }),
    reward: reward ?? 0,
    score: points as number | null,
    done,
    ...(typeof feedback === "string" && feedback !== "" && { feedback }),
  };
}

function withoutMetadata(observation: Readonly<Record<string, Json>>): Json {
  return Object.fromEntries(Object.entries(observation).filter(([name]) => name !== "metadata"));
}

function isListOfTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
