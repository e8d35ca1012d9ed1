import { assert, assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import { Effect, Stream } from "effect";
import { offlineGroups, type OfflineKind, offlineSides } from "../../../pipelines/offline/offline_groups.ts";
import { RowFault } from "../../../envs/rows/row.ts";
import { FileError, PolicyError } from "../../../stages/errors.ts";
import { metricNames } from "../../../stages/metrics/metric_names.ts";
import type { Amplified, TaskAt } from "../../../stages/record.ts";
import { characterChat, scriptedPolicy } from "../../stages/_scripted.ts";
import { smallConfig, train } from "../_train.ts";

const folder = "fixtures/offline";

async function written(...rows: readonly unknown[]): Promise<string> {
  const path = await Deno.makeTempFile({ suffix: ".jsonl" });
  await Deno.writeTextFile(path, rows.map((row) => JSON.stringify(row)).join("\n"));
  return path;
}

/** The groups at the first `count` positions of a run. */
function read(
  path: string,
  kind: OfflineKind,
  { count = 2, contextLength = 100_000, overrides = [] as readonly string[] } = {},
): Promise<Amplified[]> {
  const tasks = Array.from({ length: count }, (_, cursor): TaskAt => ({
    cursor,
    task: { id: `env/${cursor}`, kind: "env", payload: null },
  }));
  return Effect.runPromise(
    Stream.fromIterable(tasks).pipe(
      offlineGroups(path, kind, smallConfig(...overrides)),
      Stream.runCollect,
      Effect.provide(scriptedPolicy(() => null, { contextLength })),
    ),
  );
}

/** The text of a member with its trained replies between brackets. */
function shown({ members, trainMasks }: Amplified, i = 0): string {
  const { ids } = members[i];
  return ids.map((id, t) => {
    const from = trainMasks[i][t] === 1 && trainMasks[i][t - 1] !== 1 ? "[" : "";
    const to = trainMasks[i][t] === 1 && trainMasks[i][t + 1] !== 1 ? "]" : "";
    return from + characterChat.token(id).replace("\u0001", "<").replace("\u0002", ">") + to;
  }).join("");
}

Deno.test("all replies of messages train, each with the id that ends it; of a completion only what it says", async () => {
  const talk = ["a", "B", "c", "D"].map((content, k) => ({
    role: k % 2 === 0 ? "user" : "assistant",
    content,
  }));
  const system = { role: "system", content: "S" };
  const rows = [
    { messages: [system, ...talk] },
    { prompt: "a", completion: "B" },
    { prompt: talk.slice(0, 3), completion: "D" },
  ];
  const expected = ["Sa<[B>]c<[D>]", "a<[B>]", "a<B>c<[D>]"];
  for (const [k, row] of rows.entries()) {
    const [group] = await read(await written(row), "demonstration", { count: 1 });
    assertEquals(shown(group), expected[k]);
    assertEquals([group.advantages, group.members[0].kind], [[1], "demonstration"]);
  }
});

Deno.test("a preference is two members that share the prompt, with advantages 1 and -1", async () => {
  const path = await written({ prompt: "a", chosen: "yes", rejected: "no" });
  const [group] = await read(path, "preference", { count: 1 });
  assertEquals([shown(group, 0), shown(group, 1)], ["a<[yes>]", "a<[no>]"]);
  assertEquals(group.advantages, [1, -1]);
});

Deno.test("every epoch shows every row once, in an order that follows from the seed alone", async () => {
  const path = await written(...Array.from({ length: 7 }, (_, i) => ({ prompt: "a", completion: `${i}` })));
  const order = async (seed: number) =>
    (await read(path, "demonstration", { count: 14, overrides: [`trainer.seed=${seed}`] })).map(shown0);
  const shown0 = (group: Amplified) => shown(group);
  const first = await order(1);
  assertEquals(new Set(first.slice(0, 7)).size, 7);
  assertEquals(new Set(first.slice(7)).size, 7);
  assertEquals(await order(1), first);
  assert((await order(2)).join() !== first.join());
});

Deno.test("malformed and over-long rows are told by file, row and field, unless a share may be left out", async () => {
  const path = `${folder}/malformed.jsonl`;
  const error = await assertRejects(() => read(path, "preference"), FileError);
  for (
    const text of [
      `${path}: 5 of 6 rows are malformed`,
      "row 1, field rejected: is the same as chosen",
      "row 2, field rejected: expected a text or a list of messages, got nothing",
      'row 3, field prompt[1].role: expected system, user or assistant, got "tool"',
      "row 4, field prompt: expected a user message last",
      'row 5, field chosen[0].content: expected a text, got ""',
    ]
  ) assertStringIncludes(error.message, text);
  const kept = await read(path, "preference", { count: 3, overrides: ["data.bad_rows=0.9"] });
  assertEquals(kept.map((group) => group.task.id), [6, 6, 6].map((row) => `${path}/${row}`));

  const long = await written({ prompt: "a", completion: "B" }, { prompt: "a", completion: "much too long" });
  const tooLong = () => read(long, "demonstration", { contextLength: 8 });
  await assertRejects(tooLong, FileError, "row 2, field (row): 16 tokens, the policy's context holds 8");
});

const steps = ["trainer.total_steps=6", "rollout.batch_size=4", "optim.lr=0.002"];

Deno.test("sft on a file learns its rows and samples nothing", async () => {
  const path = `algorithm.offline=${folder}/demonstrations.jsonl`;
  const { reports } = await train(smallConfig("algorithm.name=sft", path, ...steps));
  const loss = reports.map(({ metrics }) => metrics[metricNames.policyLoss]);
  assert(loss[5] < loss[0] - 0.05, loss.join());
  assertEquals(reports.map(({ cursor }) => cursor), [4, 8, 12, 16, 20, 24]);
});

Deno.test("dpo on a file starts at log 2 and comes to prefer what was chosen", async () => {
  const path = `algorithm.offline=${folder}/preferences.jsonl`;
  const { reports } = await train(smallConfig("algorithm.name=dpo", path, ...steps));
  const at = (name: string) => reports.map(({ metrics }) => metrics[name]);
  const loss = at(metricNames.policyLoss);
  assert(Math.abs(loss[0] - Math.log(2)) < 1e-5, loss.join());
  assert(loss[5] < loss[0] - 0.05, loss.join());
  assertEquals(at(metricNames.preferenceAccuracy)[5], 1);
});

Deno.test("rows that are left out do not change the numbers of the others", async () => {
  const path = await written({ prompt: "a" }, { prompt: "a", completion: "B" });
  const [group] = await read(path, "demonstration", { count: 1, overrides: ["data.bad_rows=0.5"] });
  assertEquals(group.task.id, `${path}/2`);
});

Deno.test("a prompt that does not end with the user is a fault of the prompt", async () => {
  const prompt = [{ role: "user", content: "a" }, { role: "assistant", content: "b" }];
  for (
    const [kind, rest] of [["demonstration", { completion: "c" }], ["preference", {
      chosen: "c",
      rejected: "d",
    }]] as const
  ) {
    const error = await assertRejects(async () => read(await written({ prompt, ...rest }), kind), FileError);
    assertStringIncludes(error.message, "row 1, field prompt: expected a user message last, got");
  }
});

Deno.test("a row that the chat template refuses is a fault of the row", () => {
  const refuse = () => {
    throw new PolicyError({ operation: "render the chat template", reason: "no system message" });
  };
  const error = assertThrows(
    () =>
      offlineSides({ prompt: "a", completion: "b" }, "demonstration", {
        chat: { ...characterChat, open: refuse },
        contextLength: 100,
      }),
    RowFault,
  );
  assertStringIncludes(error.message, "no system message");
});
