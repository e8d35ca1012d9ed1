import { Effect, Stream } from "effect";
import { readRows } from "../../envs/rows/read_rows.ts";
import { type Row, RowFault } from "../../envs/rows/row.ts";
import type { RunConfig } from "../../stages/config/run_config.ts";
import { FileError, PolicyError } from "../../stages/errors.ts";
import type { Chat } from "../../stages/policy/chat.ts";
import { Policy } from "../../stages/policy/policy.ts";
import type { Amplified, Member, TaskAt } from "../../stages/record.ts";
import type { Stage } from "../../stages/stage.ts";
import type { RowPolicy } from "../pipeline.ts";
import { trainIndex } from "../run/train_index.ts";
import { type Conversation, layOut } from "./conversation.ts";
import { demonstrationRow } from "./demonstration_row.ts";
import { preferenceRow } from "./preference_row.ts";

/** What the rows of a file are: supervised examples, or a chosen and a rejected answer each. */
export type OfflineKind = "demonstration" | "preference";

/**
 * Training data from a file in place of attempts: the task at each position becomes a
 * row of `path`, shuffled anew each epoch by `trainer.seed`, as a group that `update`
 * takes. A demonstration is one member with advantage 1; a preference is two, with 1 and
 * −1. Nothing is sampled. FileError names file, row and field; `data.bad_rows` is the
 * share of rows that may be left out, those longer than the policy's context among them.
 */
export function offlineGroups(
  path: string,
  kind: OfflineKind,
  { data, trainer }: RunConfig,
): Stage<TaskAt, Amplified, FileError, Policy> {
  return (self) =>
    Stream.unwrap(Effect.gen(function* () {
      const policy = yield* Policy;
      const parse = (row: Row, index: number) => ({ row: index + 1, sides: offlineSides(row, kind, policy) });
      const { rows, leftOut } = yield* Effect.tryPromise({
        try: () => readRows(path, parse, data.bad_rows),
        catch: (error) => error instanceof FileError ? error : new FileError({ path, reason: String(error) }),
      });
      if (leftOut.length > 0) {
        yield* Effect.logWarning(
          `${path}: ${leftOut.length} of ${rows.length + leftOut.length} rows left out; first: ${leftOut[0]}`,
        );
      }
      const unknown = unknownShare(rows, policy.chat);
      if (unknown > MOST_UNKNOWN) {
        yield* Effect.logWarning(
          `${path}: ${Math.round(100 * unknown)}% of the tokens to be learned are unknown to the tokenizer`,
        );
      }
      return self.pipe(Stream.map(({ cursor }) => {
        const { row, sides } = rows[trainIndex(cursor, trainer.seed, rows.length)];
        return groupOf(sides, { cursor, task: { id: `${path}/${row}`, kind, payload: null } });
      }));
    }));
}

/** Share of unknown tokens from which on there is little to learn. */
const MOST_UNKNOWN = 0.25;

function unknownShare(
  rows: readonly { readonly sides: readonly Laid[] }[],
  { unknownId }: Pick<Chat, "unknownId">,
): number {
  if (unknownId === undefined) return 0;
  const learned = rows.flatMap(({ sides }) =>
    sides.map(({ ids, mask }) => ids.filter((_, t) => mask[t] === 1))
  );
  const all = learned.reduce((sum, ids) => sum + ids.length, 0);
  return learned.reduce((sum, ids) => sum + ids.filter((id) => id === unknownId).length, 0) /
    Math.max(1, all);
}

/** The sides of a row as the policy's tokens: one, or the chosen and the rejected one. @throws RowFault */
export function offlineSides(
  row: Row,
  kind: OfflineKind,
  { chat, contextLength }: RowPolicy,
): readonly Laid[] {
  return sidesOf(row, kind).map((side) => laidOut(side, chat, contextLength));
}

/** Name of a side, for messages, and what it says. */
type Side = readonly [field: string, said: Conversation];
type Laid = ReturnType<typeof layOut>;

function sidesOf(row: Row, kind: OfflineKind): readonly Side[] {
  if (kind === "demonstration") return [["(row)", demonstrationRow(row)]];
  const { chosen, rejected } = preferenceRow(row);
  return [["chosen", chosen], ["rejected", rejected]];
}

function laidOut([field, said]: Side, chat: Chat, contextLength: number): Laid {
  const laid = asRow(field, () => layOut(said, chat));
  if (laid.ids.length <= contextLength) return laid;
  throw new RowFault(field, `${laid.ids.length} tokens, the policy's context holds ${contextLength}`);
}

/** A template may refuse what it is given, such as a system message. */
function asRow<A>(field: string, lay: () => A): A {
  try {
    return lay();
  } catch (error) {
    if (error instanceof PolicyError) throw new RowFault(field, error.message);
    throw error;
  }
}

function groupOf(sides: readonly Laid[], at: TaskAt): Amplified {
  return {
    ...at,
    attempts: [],
    retries: [],
    auxiliary: [],
    members: sides.map(({ ids, mask }, i): Member => ({
      ids,
      mask,
      logprobs: ids.map(() => 0),
      kind: "demonstration",
      attempt: i,
      pivot: null,
      prefixLength: 0,
      won: i === 0,
      reward: i === 0 ? 1 : 0,
    })),
    trainMasks: sides.map(({ mask }) => mask),
    advantages: sides.map((_, i) => (i === 0 ? 1 : -1)),
    flat: false,
  };
}
