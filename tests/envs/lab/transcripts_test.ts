import { assertEquals } from "@std/assert";
import { Lab } from "../../../envs/lab/lab.ts";

interface Transcript {
  readonly task: never;
  readonly observation: string;
  readonly steps: readonly {
    readonly action: string;
    readonly observation: string;
    readonly score: number;
  }[];
  readonly fingerprint: string;
}

Deno.test("the recorded episodes come out word for word", () => {
  const file = new URL("../../../fixtures/lab/transcripts.jsonl", import.meta.url);
  const lines = Deno.readTextFileSync(file).trim().split("\n");
  assertEquals(lines.length, 24);
  for (const line of lines) {
    const { task, observation, steps, fingerprint } = JSON.parse(line) as Transcript;
    const env = new Lab();
    assertEquals(env.reset(task).observation, observation);
    assertEquals(env.oracle(), steps.map(({ action }) => action));
    for (const step of steps) {
      const { observation, score } = env.step(step.action);
      assertEquals({ action: step.action, observation, score }, step);
    }
    assertEquals(env.fingerprint(), fingerprint);
  }
});
