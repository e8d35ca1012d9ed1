import type { Chat } from "../../stages/policy/chat.ts";
import type { Amplified, Attempt, Diagnosis, Member, Retry, Tokens } from "../../stages/record.ts";

/** One token of a member: text, id, 1 if the policy sampled it, 1 if it is trained, behaviour log-probability. */
export type TokenRecord = readonly [
  text: string,
  id: number,
  sampled: 0 | 1,
  trained: 0 | 1,
  logprob: number,
];

/** A row of the group as the report shows it. */
export interface MemberRecord {
  readonly kind: Member["kind"];
  readonly attempt: number;
  /** Which of the attempt's retries it is (0-based), if it is one. */
  readonly order?: number;
  /** Whether the first prompt shows a failed attempt, where a method mixes such rollouts with direct ones. */
  readonly reflective?: boolean;
  readonly pivot: number | null;
  readonly prefixLength: number;
  readonly reward: number | null;
  readonly won: boolean;
  readonly advantage: number;
  readonly tokens: readonly TokenRecord[];
  readonly feedback: string;
}

/** A reflection: its report, or why there is none, and what the policy wrote. */
export interface DiagnosisRecord {
  readonly attempt: number;
  /** Which of the attempt's retries was reflected on (0-based), where it was not the attempt itself. */
  readonly retry?: number;
  readonly report: Readonly<Record<string, string | number | null>> | null;
  readonly invalid?: string;
  readonly text: string;
}

/** One line of attempts.jsonl: a group after one optimiser step, for people to read. */
export interface AttemptRecord {
  readonly step: number;
  readonly task: { readonly id: string; readonly kind: string };
  readonly members: readonly MemberRecord[];
  readonly diagnoses: readonly DiagnosisRecord[];
  readonly retries: readonly {
    readonly base: number;
    readonly order: number;
    /** Which of the base's retries it branched off from (0-based), where it was not the base itself. */
    readonly parent?: number;
    readonly pivot: number;
    readonly guidance: string;
    readonly diverged: boolean;
  }[];
}

/** The record of `group` at optimiser step `step`; `chat` gives the texts of ids. */
export function attemptRecord(
  step: number,
  group: Amplified,
  chat: Pick<Chat, "token" | "decode">,
): AttemptRecord {
  const attemptOf = ({ kind, attempt, order = 0 }: Member): Attempt | undefined =>
    kind === "base"
      ? group.attempts.find(({ index }) => index === attempt)
      : group.retries.find((retry) => retry.base === attempt && retry.order === order)?.distilled;
  return {
    step,
    task: { id: group.task.id, kind: group.task.kind },
    members: group.members.map((member, i) => {
      const { feedback = "", reflective } = attemptOf(member) ?? {};
      return {
        kind: member.kind,
        attempt: member.attempt,
        ...(member.order === undefined ? {} : { order: member.order }),
        ...(reflective === undefined ? {} : { reflective }),
        pivot: member.pivot,
        prefixLength: member.prefixLength,
        reward: member.reward,
        won: member.won,
        advantage: group.advantages[i],
        tokens: tokenRecords(member, group.trainMasks[i], chat),
        feedback,
      };
    }),
    diagnoses: [
      ...group.attempts.map(({ index, diagnosis }) => ({
        attempt: index,
        ...diagnosisRecord(diagnosis, chat),
      })),
      ...group.retries.flatMap(({ base, order, diagnosis }) =>
        diagnosis === undefined ? [] : [{ attempt: base, retry: order, ...diagnosisRecord(diagnosis, chat) }]
      ),
    ],
    retries: group.retries.map(({ base, order, parent, pivot, guidance, diverged }: Retry) => ({
      base,
      order,
      ...(parent === undefined ? {} : { parent }),
      pivot,
      guidance,
      diverged,
    })),
  };
}

function diagnosisRecord(
  { report, invalid, tokens: { ids, mask } }: Diagnosis,
  chat: Pick<Chat, "decode">,
): Omit<DiagnosisRecord, "attempt" | "retry"> {
  return {
    report: report === null ? null : { ...report },
    ...(invalid === undefined ? {} : { invalid }),
    text: chat.decode(ids.filter((_, t) => mask[t] === 1), true),
  };
}

function tokenRecords(
  { ids, mask, logprobs }: Tokens,
  trained: readonly (0 | 1)[],
  chat: Pick<Chat, "token">,
): readonly TokenRecord[] {
  return ids.map((id, t) => [chat.token(id), id, mask[t], trained[t], Math.round(logprobs[t] * 1e4) / 1e4]);
}
