import { assertEquals } from "@std/assert";
import { attemptRecord } from "../../../pipelines/run_folder/attempt_record.ts";
import type { Amplified, Attempt, DiagnosedAttempt, Member, Retry } from "../../../stages/record.ts";

const chat = {
  token: (id: number) => `w${id}`,
  decode: (ids: readonly number[]) => ids.map((id) => `w${id}`).join(" "),
};

const attempt = (index: number, feedback: string): Attempt => ({
  ids: [1, 2],
  mask: [0, 1],
  logprobs: [0, -0.5],
  index,
  turns: [],
  snapshots: [],
  reward: 0,
  won: false,
  truncated: false,
  feedback,
  finalObservation: "",
  version: 0,
  session: "s",
} as unknown as Attempt);

const base: DiagnosedAttempt = {
  ...attempt(3, "not hot"),
  reflective: true,
  diagnosis: {
    tokens: { ids: [7, 8, 9], mask: [0, 1, 1], logprobs: [0, 0, 0] },
    report: null,
    invalid: "no_json",
  },
};

const retry = (order: number, feedback: string): Retry => ({
  base: 3,
  order,
  pivot: 1,
  prefixLength: 1,
  guidance: "heat it",
  guided: attempt(3, "unused"),
  distilled: attempt(3, feedback),
  diverged: order === 1,
});

const member = (kind: Member["kind"], order?: number): Member => ({
  kind,
  attempt: 3,
  ...(order === undefined ? {} : { order }),
  pivot: 1,
  prefixLength: 1,
  won: kind === "retry",
  reward: kind === "retry" ? 1 : 0,
  ids: [1, 2],
  mask: [0, 1],
  logprobs: [0, -0.123456],
});

Deno.test("a record shows each token with its mask, each member with its own feedback", () => {
  const group = {
    task: { id: "t", kind: "heat", payload: null },
    cursor: 0,
    attempts: [base],
    retries: [
      { ...retry(0, "first retry"), diagnosis: { ...base.diagnosis, invalid: "truncated" } },
      { ...retry(1, "second retry"), parent: 0 },
    ],
    // A stage may have put the rows in another order.
    members: [member("base"), member("retry", 1), member("retry", 0)],
    auxiliary: [],
    trainMasks: [[0, 1], [0, 1], [0, 0]],
    advantages: [-1, 3, 3],
    flat: false,
  } satisfies Amplified;
  const record = attemptRecord(7, group, chat);
  assertEquals(record.step, 7);
  assertEquals(record.task, { id: "t", kind: "heat" });
  assertEquals(record.members.map(({ feedback }) => feedback), ["not hot", "second retry", "first retry"]);
  assertEquals(record.members.map(({ reflective }) => reflective), [true, undefined, undefined]);
  assertEquals(record.members.map(({ order }) => order), [undefined, 1, 0]);
  assertEquals(record.members.map(({ advantage }) => advantage), [-1, 3, 3]);
  assertEquals(record.members[1].tokens, [["w1", 1, 0, 0, 0], ["w2", 2, 1, 1, -0.1235]]);
  assertEquals(record.members[2].tokens[1], ["w2", 2, 1, 0, -0.1235]);
  assertEquals(record.diagnoses, [
    { attempt: 3, report: null, invalid: "no_json", text: "w8 w9" },
    { attempt: 3, retry: 0, report: null, invalid: "truncated", text: "w8 w9" },
  ]);
  assertEquals(record.retries.map(({ parent }) => parent), [undefined, 0]);
  assertEquals(record.retries.map(({ diverged }) => diverged), [false, true]);
  assertEquals(JSON.parse(JSON.stringify(record)), record);
});
