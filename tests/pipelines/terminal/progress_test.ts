import fc from "fast-check";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { makeProgress, type ProgressMode } from "../../../pipelines/terminal/progress.ts";
import { duration, progressLine } from "../../../pipelines/terminal/progress_line.ts";
import { table } from "../../../pipelines/terminal/table.ts";
import { metricNames } from "../../../stages/metrics/metric_names.ts";

/** What two steps, of 2 s and 4 s, write. */
function written(mode: ProgressMode, isTerminal: boolean): string {
  let text = "";
  let time = 0;
  const progress = makeProgress(mode, 4, { isTerminal, write: (part) => text += part, now: () => time });
  progress.activity("evaluating 1/9");
  time = 2000;
  progress.step(1, { [metricNames.scoreMean]: 0.25 });
  time = 6000;
  progress.step(2, { [metricNames.scoreMean]: 0.5 });
  progress.note("Warning: x");
  progress.end();
  return text;
}

Deno.test("a log gets one line a step, without control characters", () => {
  assertEquals(
    written("auto", false),
    "step 1/4  reward 0.250  2.0 s  6 s left\nstep 2/4  reward 0.500  4.0 s  6 s left\nWarning: x\n",
  );
});

Deno.test("a terminal gets one line that is redrawn", () => {
  const text = written("auto", true);
  assertStringIncludes(text, "evaluating 1/9\r\x1b[Kstep 1/4");
  assertEquals(text.split("\n"), [text.split("\n")[0], ""]);
  assertStringIncludes(text, "\r\x1b[KWarning: x\n");
});

Deno.test("progress none writes notes only", () => {
  assertEquals(written("none", true), "Warning: x\n");
});

const anyMetric = fc.oneof(fc.double(), fc.constant(1e300));
Deno.test("a progress line never exceeds 80 columns and always says which step it is", () => {
  const metrics = fc.record(
    {
      [metricNames.scoreMean]: anyMetric,
      [metricNames.retryImprovementRate]: anyMetric,
      [metricNames.retryPivotMean]: anyMetric,
      [metricNames.entropy]: anyMetric,
    },
    { requiredKeys: [] },
  );
  const pace = fc.record({
    step: fc.nat(),
    totalSteps: fc.nat(),
    stepSeconds: fc.double({ min: 0, max: 1e9, noNaN: true }),
    secondsLeft: fc.double({ min: 0, max: 1e12, noNaN: true }),
  });
  fc.assert(fc.property(metrics, pace, (values, at) => {
    const line = progressLine(values as Record<string, number>, at);
    assert(line.length <= 80, line);
    assertStringIncludes(line, `${at.step}/${at.totalSteps}`);
  }));
});

Deno.test("a field that does not fit in 80 columns is left out whole", () => {
  const metrics = {
    [metricNames.scoreMean]: 123456789,
    [metricNames.retryImprovementRate]: 0.5,
    [metricNames.retryPivotMean]: 123456789012,
    [metricNames.entropy]: 0.1,
  };
  assertEquals(
    progressLine(metrics, { step: 1, totalSteps: 2, stepSeconds: 1, secondsLeft: 1 }),
    "step 1/2  reward 123456789.000  retry+ 0.500  pivot 123456789012.000  1.0 s",
  );
});

Deno.test("durations read as people say them", () => {
  assertEquals([0, 59.4, 60, 245, 7440].map(duration), [
    "0 s",
    "59 s",
    "1 min 00 s",
    "4 min 05 s",
    "2 h 04 min",
  ]);
});

Deno.test("a table aligns its columns", () => {
  assertEquals(
    table([["run", "before", "after"], ["success", "0.18", "0.76"], ["gain", "", "-1"]]),
    "run      before  after\n-------  ------  -----\nsuccess    0.18   0.76\ngain                -1",
  );
});

Deno.test("a cell that does not fit ends in dots", () => {
  const [header, , row] = table([["name", "value"], ["x".repeat(100), "1.5"]]).split("\n");
  assertEquals(row, `${"x".repeat(70)}...  ` + "  1.5");
  assertEquals(header.length, 80);
});

Deno.test("a table never exceeds 80 columns and keeps its rows", () => {
  const cell = fc.string({ unit: "grapheme", maxLength: 120, size: "max" })
    .filter((text) => !/[\n\r]/.test(text));
  fc.assert(
    fc.property(fc.array(fc.array(cell, { maxLength: 5 }), { minLength: 1, maxLength: 6 }), (rows) => {
      const lines = table(rows).split("\n");
      assertEquals(lines.length, rows.length + 1);
      for (const line of lines) assert([...line].length <= 80, line);
    }),
  );
});

Deno.test({
  name: "a reader that goes away does not stop the work",
  ignore: Deno.build.os !== "linux",
  fn: async () => {
    const module = new URL("../../../pipelines/terminal/progress.ts", import.meta.url).href;
    const script = `import { makeProgress } from "${module}";
      const progress = makeProgress("lines", 2);
      for (let i = 0; i < 50; i++) { progress.note("x".repeat(4096)); await new Promise((r) => setTimeout(r, 2)); }
      console.error("done");`;
    const child = new Deno.Command(Deno.execPath(), {
      args: ["eval", script],
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    await child.stdout.cancel();
    const stderr = new TextDecoder().decode(await new Response(child.stderr).bytes());
    assertEquals([stderr, (await child.status).code], ["done\n", 0]);
  },
});
