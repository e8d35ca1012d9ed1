import { type Row, RowFault, shown, text, whole } from "../../envs/rows/row.ts";
import type { RowPolicy } from "../pipeline.ts";
import type { AttemptTurn } from "../../stages/record.ts";

/** One reply of a stored attempt, with the tokens as they were sampled. */
export interface StoredReply {
  readonly ids: readonly number[];
  readonly text: string;
  readonly stop: AttemptTurn["stopReason"];
}

/** A first attempt that failed, as a line of the file that {@link buildFailures} writes. */
export interface FailureRow {
  /** Place of the task in the training split, and its id. */
  readonly index: number;
  readonly id: string;
  readonly kind: string;
  /** What the environment said first: the question. */
  readonly query: string;
  /** Hash of the ids before the first reply: another prompt, template or tokenizer has another. */
  readonly prompt_hash: string;
  readonly replies: readonly StoredReply[];
  readonly feedback: string;
  /** Category and answer of the verdict, where the environment gives one. */
  readonly verdict: { readonly category: string; readonly answer: string | null } | null;
  /** Number of the attempt among those sampled. */
  readonly attempt: number;
  readonly n_sampled: number;
  readonly n_success: number;
  readonly keep: "all_fail" | "any_fail";
  readonly model: string;
  readonly sampling: { readonly temperature: number; readonly max_tokens: number; readonly seed: number };
}

const stops: readonly string[] = ["stop", "length", "context"];

/** Reads what training needs of a row, whose replies are tokens of this policy. @throws RowFault */
export function failureRow(
  row: Row,
  { chat, contextLength }: RowPolicy,
): Pick<FailureRow, "index" | "id" | "prompt_hash" | "replies"> {
  const index = whole(row, "index");
  if (index < 0) throw new RowFault("index", `expected 0 or more, got ${index}`);
  const { replies } = row;
  if (!Array.isArray(replies) || replies.length === 0) {
    throw new RowFault("replies", `expected a list of replies, got ${shown(replies)}`);
  }
  const read = replies.map((reply, k) => replyOf(reply as Row | null, `replies[${k}]`, chat));
  const tokens = read.reduce((sum, { ids }) => sum + ids.length, 0);
  if (tokens >= contextLength) {
    throw new RowFault("replies", `${tokens} tokens, the policy's context holds ${contextLength}`);
  }
  return { index, id: text(row, "id"), prompt_hash: text(row, "prompt_hash"), replies: read };
}

function replyOf(reply: Row | null, field: string, { vocabularySize }: RowPolicy["chat"]): StoredReply {
  const { ids, stop } = reply ?? {};
  const isList = Array.isArray(ids) && ids.length > 0 && ids.every((id) => Number.isSafeInteger(id));
  if (!isList) throw new RowFault(`${field}.ids`, `expected token ids, got ${shown(ids)}`);
  const foreign = (ids as number[]).find((id) => id < 0 || id >= vocabularySize);
  if (foreign !== undefined) {
    throw new RowFault(`${field}.ids`, `${foreign} is no id of a vocabulary of ${vocabularySize}`);
  }
  if (typeof stop !== "string" || !stops.includes(stop)) {
    throw new RowFault(`${field}.stop`, `expected one of ${stops.join(", ")}, got ${shown(stop)}`);
  }
  return { ids: ids as number[], text: String(reply?.text ?? ""), stop: stop as StoredReply["stop"] };
}
