import { Effect, Stream } from "effect";
import { readRows } from "../../envs/rows/read_rows.ts";
import { type Row, RowFault } from "../../envs/rows/row.ts";
import type { RunConfig } from "../../stages/config/run_config.ts";
import { FileError } from "../../stages/errors.ts";
import type { Chat } from "../../stages/policy/chat.ts";
import { Policy } from "../../stages/policy/policy.ts";
import type { Amplified, Member, TaskAt } from "../../stages/record.ts";
import type { Stage } from "../../stages/stage.ts";
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
      const { chat, contextLength } = yield* Policy;
      const parse = (row: Row) => sidesOf(row, kind).map((side) => laidOut(side, chat, contextLength));
      const { rows, leftOut } = yield* Effect.tryPromise({
        try: () => readRows(path, parse, data.bad_rows),
        catch: (error) => error instanceof FileError ? error : new FileError({ path, reason: String(error) }),
      });
      if (leftOut.length > 0) {
        yield* Effect.logWarning(
          `${path}: ${leftOut.length} of ${rows.length + leftOut.length} rows left out; first: ${leftOut[0]}`,
        );
      }
      return self.pipe(Stream.map(({ cursor }) => {
        const index = trainIndex(cursor, trainer.seed, rows.length);
        return groupOf(rows[index], { cursor, task: { id: `${path}/${index + 1}`, kind, payload: null } });
      }));
    }));
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
  const laid = layOut(said, chat);
  if (laid.ids.length <= contextLength) return laid;
  throw new RowFault(field, `${laid.ids.length} tokens, the policy's context holds ${contextLength}`);
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
