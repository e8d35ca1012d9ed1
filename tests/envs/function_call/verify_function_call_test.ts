import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { type CallAdapterName, callAdapters } from "../../../envs/function_call/adapters.ts";
import { type Call, parseCalls } from "../../../envs/function_call/call.ts";
import {
  type FunctionCallOptions,
  verifyFunctionCall,
} from "../../../envs/function_call/verify_function_call.ts";
import { hostileReplies, milliseconds, readCases } from "../_cases.ts";

interface Cases {
  readonly cases: readonly {
    readonly name: string;
    readonly completion: string;
    readonly gold: unknown;
    readonly expected: number;
    readonly category: string;
  }[];
}

function calls(value: unknown): readonly Call[] {
  const read = parseCalls(JSON.stringify(value));
  if (typeof read === "string") throw new Error(read);
  return read;
}

for (const { name, completion, gold, expected, category } of readCases<Cases>("function_call").cases) {
  Deno.test(`function-call case: ${name}`, () => {
    const reply = completion.replace("99...(400 nines)", `${"9".repeat(400)}}}]`);
    const verdict = verifyFunctionCall(reply, { calls: calls(gold) });
    assertEquals([verdict.ok, verdict.category], [expected === 1, category]);
  });
}

const weather = { calls: calls([{ name: "w", arguments: { city: "Zürich", days: 3 } }]) };
const verdictOf = (args: unknown, options: FunctionCallOptions = {}) =>
  verifyFunctionCall(JSON.stringify([{ name: "w", arguments: args }]), weather, options).category;

Deno.test("each option allows what it names, and nothing is allowed without", () => {
  const one = { city: "Zu\u0308rich", days: 3 };
  assertEquals([verdictOf(one), verdictOf(one, { nfc: true })], ["parameter", "ok"]);
  const two = { city: "ZÜRICH", days: 3 };
  assertEquals([verdictOf(two), verdictOf(two, { casefold: true })], ["parameter", "ok"]);
  const three = { city: "Zürich", days: "3" };
  assertEquals([verdictOf(three), verdictOf(three, { numericStrings: true })], ["parameter", "ok"]);
  const defaults = new Map([["w", new Map([["days", 3]])]]);
  const short = JSON.stringify({ name: "w", arguments: { city: "Zürich" } });
  assertEquals(verifyFunctionCall(short, { ...weather, defaults }).category, "parameter");
  assertEquals(verifyFunctionCall(short, { ...weather, defaults }, { fillDefaults: true }).category, "ok");
  const two_ = { calls: calls([{ name: "a", arguments: {} }, { name: "b", arguments: {} }]) };
  const swapped = '[{"name":"b","arguments":{}},{"name":"a","arguments":{}}]';
  assertEquals(verifyFunctionCall(swapped, two_).category, "ok");
  assertEquals(verifyFunctionCall(swapped, two_, { sequence: true }).category, "parameter");
});

Deno.test("whole numbers compare by every digit", () => {
  const gold = { calls: parseCalls('{"name":"f","arguments":{"a":9007199254740993}}') as readonly Call[] };
  const of = (digits: string) => verifyFunctionCall(`{"name":"f","arguments":{"a":${digits}}}`, gold).ok;
  assert(of("9007199254740993"));
  assert(!of("9007199254740992"));
});

Deno.test("a key twice, even __proto__, is a format fault", () => {
  const gold = { calls: calls([{ name: "f", arguments: {} }]) };
  assertEquals(verifyFunctionCall('{"name":"f","name":"f","arguments":{}}', gold).category, "format");
  assertEquals(verifyFunctionCall('{"name":"f","arguments":{"__proto__":{}}}', gold).category, "parameter");
});

Deno.test("accepted values: any of the list, omission by an empty text, pairs that greed would miss", () => {
  const accepted = (values: Record<string, readonly (string | number)[]>) => ({
    name: "f",
    accepted: new Map(Object.entries(values)),
  });
  const gold = { calls: [accepted({ a: [1, 2], b: [""] }), accepted({ a: [1] })] };
  const of = (...args: unknown[]) =>
    verifyFunctionCall(JSON.stringify(args.map((a) => ({ name: "f", arguments: a }))), gold).category;
  assertEquals(of({ a: 1 }, { a: 2 }), "ok");
  assertEquals(of({ a: 2 }, { a: 1 }), "ok");
  assertEquals(of({ a: 2 }, { a: 2 }), "parameter");
  assertEquals(of({ a: 2, c: 1 }, { a: 1 }), "parameter");
  assertEquals(of({ a: 1 }), "tool");
});

Deno.test("where nothing is to be called, prose is right and a call or a broken one is not", () => {
  const of = (reply: string) => verifyFunctionCall(reply, { calls: [] }).category;
  assertEquals(of("No tool can do that."), "ok");
  assertEquals(of('{"name":"f","arguments":{}}'), "tool");
  assertEquals(of('<tool_call>{"name"'), "format");
});

Deno.test("every wire format yields the same calls; another format's text is a format fault", () => {
  const wire: Record<CallAdapterName, string> = {
    json: '<tool_call>\n{"name":"w","arguments":{"city":"Zürich","days":3}}\n</tool_call>',
    llama3: '<|python_tag|>{"name":"w","parameters":{"city":"Zürich","days":3}}<|eom_id|>',
    mistral: '[TOOL_CALLS] [{"name":"w","arguments":{"city":"Zürich","days":3},"id":"abc"}]',
    openai:
      '[{"id":"1","type":"function","function":{"name":"w","arguments":"{\\"city\\":\\"Zürich\\",\\"days\\":3}"}}]',
    deepseek: "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>w\n```json\n" +
      '{"city":"Zürich","days":3}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    python: "[w(city='Zürich', days=3)]",
  };
  const names = Object.keys(callAdapters) as CallAdapterName[];
  for (const adapter of names) {
    for (const format of names) {
      const { category } = verifyFunctionCall(wire[format], weather, { adapter });
      assertEquals(category, format === adapter ? "ok" : "format", `${format} read as ${adapter}`);
    }
  }
});

Deno.test("Python calls are literals only", () => {
  const ok = callAdapters.python("f(a=[1, -2.5, True], b={'k': None}, c=(1,), d=\"it\\'s\")");
  assert(typeof ok !== "string");
  assertEquals([...ok[0].arguments.values()], [[1, -2.5, true], new Map([["k", null]]), [1], "it's"]);
  for (
    const bad of ["f(1)", "f(a=b)", "f(a=g())", "f(a=1, a=2)", "f(a=1", "__import__('os')", "f(a=1) + 1"]
  ) {
    assertEquals(typeof callAdapters.python(bad), "string", bad);
  }
});

Deno.test("any text gets a verdict within 50 ms, in every wire format", () => {
  for (const adapter of Object.keys(callAdapters) as CallAdapterName[]) {
    for (const reply of hostileReplies) {
      const ms = milliseconds(() => assert(!verifyFunctionCall(reply, weather, { adapter }).ok));
      assert(ms < 50, `${ms} ms for ${JSON.stringify(reply.slice(0, 20))} as ${adapter}`);
    }
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.json(), (text, json) => {
        assert(!verifyFunctionCall(text, weather, { adapter }).ok);
        assert(!verifyFunctionCall(json, weather, { adapter }).ok);
      }),
      { numRuns: 50 },
    );
  }
});
