import { Schema } from "effect";
import type { Json } from "../../env.ts";
import { isHolder } from "../catalog.ts";
import { agent, type LabState } from "./lab_state.ts";
import type { LabWorld } from "./lab_world.ts";

const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0));
const Portion = Schema.Struct({
  substance: Schema.String,
  mass: Count,
  temperature: Schema.Int,
  parts: Schema.optionalKey(Schema.Tuple([Count, Count, Count])),
});
const State = Schema.Struct({
  room: Schema.String,
  at: Schema.Record(Schema.String, Schema.String),
  open: Schema.Array(Schema.String),
  on: Schema.Array(Schema.String),
  contents: Schema.Record(Schema.String, Schema.Array(Portion)),
  moisture: Schema.Record(Schema.String, Count),
  growth: Schema.Record(
    Schema.String,
    Schema.Struct({ stage: Count.check(Schema.isLessThanOrEqualTo(3)), age: Count }),
  ),
  wires: Schema.Array(Schema.Tuple([Schema.String, Schema.String])),
  focus: Schema.NullOr(Schema.String),
  found: Schema.Array(Schema.String),
  reached: Count,
  hints: Schema.Array(Schema.String),
  lost: Schema.NullOr(Schema.String),
  pending: Schema.Array(Schema.String),
});

/** A state read from a snapshot of `world`; `fail` makes the error for what is no such state. */
export function readState(
  json: Json | undefined,
  world: LabWorld,
  fail: (reason: string) => Error,
): LabState {
  let state: LabState;
  try {
    state = Schema.decodeUnknownSync(State)(json);
  } catch (error) {
    throw fail(`the state is malformed: ${(error as Error).message.replace(/\s+/g, " ")}`);
  }
  const { start } = world;
  const parents = new Set([...world.rooms, agent, ...Object.keys(start.at).filter(isHolder)]);
  const stray = Object.keys(state.at).find((thing) =>
    !Object.hasOwn(start.at, thing) || !parents.has(state.at[thing]) ||
    (isHolder(thing) && state.at[thing] !== start.at[thing])
  );
  if (stray !== undefined) throw fail(`the state has ${stray} in ${state.at[stray]}`);
  if (!world.rooms.includes(state.room)) throw fail(`the state's room is ${state.room}`);
  for (const part of ["at", "contents", "moisture", "growth"] as const) {
    const [had, has] = [start[part], state[part]].map((record) => Object.keys(record).sort().join(", "));
    if (had !== has) throw fail(`the state's ${part} is of ${has || "nothing"}, not ${had || "nothing"}`);
  }
  return state;
}
