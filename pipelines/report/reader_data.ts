import type { AttemptRecord, MemberRecord } from "../run_folder/attempt_record.ts";

/** What the reader of attempts shows: records with token texts kept once. */
export interface ReaderData {
  /** Texts of tokens; `members[].tokens` are indices into it. */
  readonly texts: readonly string[];
  readonly groups: readonly unknown[];
  /** Records left out to keep the page small. */
  readonly omitted: number;
}

/** Most tokens that a page holds (about 12 characters each). */
const MOST_TOKENS = 1_000_000;

/** Compacts records for the page; of too many, whole steps are kept, spread evenly over the run. */
export function readerData(records: readonly AttemptRecord[], mostTokens = MOST_TOKENS): ReaderData {
  const kept = thin(records, mostTokens);
  const texts = new Map<string, number>();
  const indexOf = (text: string) => {
    const index = texts.get(text) ?? texts.size;
    texts.set(text, index);
    return index;
  };
  const groups = kept.map((record) => ({
    ...record,
    members: record.members.map((member) => ({
      ...member,
      tokens: member.tokens.map(([text]) => indexOf(text)),
      ids: member.tokens.map(([, id]) => id),
      // 0 = context, 1 = sampled, 2 = sampled and trained.
      state: member.tokens.map(([, , sampled, trained]) => (sampled === 0 ? 0 : trained === 0 ? 1 : 2)).join(
        "",
      ),
      logprobs: member.tokens.map(([, , sampled, , logprob]) => (sampled === 0 ? 0 : logprob)),
    })),
  }));
  return { texts: [...texts.keys()], groups, omitted: records.length - kept.length };
}

function thin(records: readonly AttemptRecord[], mostTokens: number): readonly AttemptRecord[] {
  const size = (record: AttemptRecord) =>
    record.members.reduce((sum: number, { tokens }: MemberRecord) => sum + tokens.length, 0);
  const total = records.reduce((sum, record) => sum + size(record), 0);
  if (total <= mostTokens) return records;
  const steps = [...new Set(records.map(({ step }) => step))];
  const count = Math.max(1, Math.floor(steps.length * mostTokens / total));
  const chosen = new Set(
    Array.from(
      { length: count },
      (_, i) => steps[Math.round(i * (steps.length - 1) / Math.max(1, count - 1))],
    ),
  );
  return records.filter(({ step }) => chosen.has(step));
}
