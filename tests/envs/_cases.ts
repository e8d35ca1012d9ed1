import process from "node:process";

/** A case file under fixtures/cases. */
export function readCases<T>(name: string): T {
  return JSON.parse(Deno.readTextFileSync(new URL(`../../fixtures/cases/${name}.json`, import.meta.url)));
}

/** Replies that verifiers must survive: 1 MB, nesting, control characters, unpaired surrogates. */
export const hostileReplies: readonly string[] = [
  "",
  "\u0000\u0001\u202e\ufeff",
  "\ud800<answer>\udc00</answer>\\boxed{\ud800}#### \udfff",
  "(".repeat(1 << 20),
  `<answer>${"(".repeat(500_000)}1${")".repeat(500_000)}</answer>`,
  "[".repeat(1 << 20),
  `[${'{"name":'.repeat(8000)}`,
  "{".repeat(60_000),
  `\\boxed{${"{".repeat(500_000)}${"}".repeat(500_000)}}`,
  "\\boxed{".repeat(150_000),
  "\\boxed{".repeat(2000) + "7" + "}".repeat(2000),
  "<answer>".repeat(130_000),
  "</answer>".repeat(110_000),
  "<think>".repeat(150_000),
  "answer is ".repeat(100_000),
  "#### ".repeat(200_000),
  `#### ${"1,".repeat(500_000)}`,
  `#### ${"9".repeat(1 << 20)}`,
  "<tool_call>".repeat(90_000),
  `[{"name":"f","arguments":{"a":${"9".repeat(60_000)}}}]`,
  `"${"\\u0000".repeat(10_000)}"`,
  "\\frac".repeat(200_000),
  "$".repeat(1 << 20),
  " ".repeat(1 << 20),
  "\n".repeat(1 << 20) + "ANSWER:" + " ".repeat(100_000),
];

/**
 * Milliseconds of processor time that `run` takes, the best of at most three tries; one
 * below 50 is enough. A busy machine does not lengthen it.
 */
export function milliseconds(run: () => unknown): number {
  let best = Infinity;
  for (let i = 0; i < 3 && best >= 50; i++) {
    const start = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(start);
    best = Math.min(best, (user + system) / 1000);
  }
  return best;
}
