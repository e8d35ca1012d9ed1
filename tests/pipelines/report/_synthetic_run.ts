import { stringify } from "@std/yaml";
import { Result } from "effect";
import { evalMetric } from "../../../pipelines/evaluation/eval_metric.ts";
import type {
  AttemptRecord,
  MemberRecord,
  TokenRecord,
} from "../../../pipelines/run_folder/attempt_record.ts";
import { loadConfig } from "../../../stages/config/load_config.ts";
import { metricNames } from "../../../stages/metrics/metric_names.ts";
import { Rng } from "../../../stages/seed.ts";

/** Writes a run folder whose numbers look like those of a run, for tests of the report. */
export function writeSyntheticRun(folder: string, steps: number): void {
  Deno.mkdirSync(folder, { recursive: true });
  const config = Result.getOrThrow(loadConfig({ source: "test", overrides: [`trainer.run_dir=${folder}`] }));
  Deno.writeTextFileSync(`${folder}/config.yaml`, stringify(config));
  const lines = Array.from({ length: steps + 1 }, (_, step) => JSON.stringify(metricsAt(step, steps)));
  Deno.writeTextFileSync(`${folder}/metrics.jsonl`, lines.join("\n") + "\n");
  const records = Array.from({ length: steps }, (_, i) => i + 1)
    .filter((step) => step === 1 || step % 10 === 0)
    .flatMap((step) => [0, 1].map((index) => JSON.stringify(syntheticRecord(step, index))));
  Deno.writeTextFileSync(`${folder}/attempts.jsonl`, records.join("\n") + "\n");
}

/** Learning curves with noise. */
function metricsAt(step: number, steps: number): Record<string, number> {
  const rng = new Rng(`synthetic/${step}`);
  const learned = 1 - Math.exp(-6 * step / steps);
  const noisy = (value: number, noise: number) => value + noise * rng.normal();
  const held = step % 30 === 0 || step === steps
    ? {
      [evalMetric("household", "success", 1)]: 0.18 + 0.58 * learned,
      [evalMetric("household", "success", 0.4)]: 0.21 + 0.6 * learned,
      "timing_s/eval": 3.4,
    }
    : {};
  if (step === 0) return { step, ...held };
  return {
    step,
    ...held,
    [metricNames.scoreMean]: noisy(0.35 + 0.4 * learned, 0.05),
    [metricNames.success]: noisy(0.2 + 0.5 * learned, 0.06),
    [metricNames.retryImprovementRate]: noisy(0.5 - 0.35 * learned, 0.06),
    [metricNames.retryRewardGain]: noisy(0.48 - 0.35 * learned, 0.06),
    [metricNames.retryPivotMean]: noisy(4.9 - learned, 0.3),
    [metricNames.retryPivotStd]: noisy(2.1 - 0.3 * learned, 0.1),
    [metricNames.diagnoseValidRate]: Math.min(1, noisy(0.97, 0.02)),
    [metricNames.groupsFlat]: noisy(0.15 + 0.5 * learned, 0.05),
    [metricNames.entropy]: noisy(0.18 - 0.1 * learned, 0.005),
    [metricNames.gradNorm]: Math.abs(noisy(1.4 - 0.5 * learned, 0.2)),
    "timing_s/sample": noisy(0.4, 0.03),
    "timing_s/diagnose": noisy(0.06, 0.005),
    "timing_s/stitch": noisy(0.15, 0.02),
    "timing_s/update": noisy(0.36, 0.03),
    "timing_s/step": noisy(1, 0.05),
    "perf/total_num_tokens": 5400,
  };
}

/** Text that breaks pages which do not escape. */
export const hostileText = "</script><script>alert(1)</script>\n\u{1F600}\u2028\"'&<b>";

/** A group of two base attempts, the second retried; the retry's feedback and a token are hostile. */
export function syntheticRecord(step: number, index: number): AttemptRecord {
  const turns = [
    ["go to countertop 1", "On the countertop 1, you see a mug 1, and a knife 2."],
    ["take mug 1 from countertop 1", "You pick up the mug 1 from the countertop 1."],
    ["go to cabinet 2", "The cabinet 2 is closed."],
    ["move mug 1 to cabinet 2", "Nothing happens."],
    ["open cabinet 2", "You open the cabinet 2. The cabinet 2 is open. In it, you see nothing."],
    ["move mug 1 to cabinet 2", "You move the mug 1 to the cabinet 2."],
  ];
  const fixed = [...turns.slice(0, 2), ["go to microwave 1", "The microwave 1 is closed."], [
    "heat mug 1 with microwave 1",
    `You heat the mug 1 using the microwave 1. ${hostileText}`,
  ], ...turns.slice(4)];
  const pivot = 2;
  const prefixLength = tokensOf(turns.slice(0, pivot), 0).length;
  const member = (
    kind: MemberRecord["kind"],
    attempt: number,
    retried: boolean,
    won: boolean,
    text: string[][],
  ): MemberRecord => ({
    kind,
    attempt,
    pivot: retried ? pivot : null,
    prefixLength: retried ? prefixLength : 0,
    reward: won ? 1 : 0,
    won,
    advantage: won ? 3 : -0.5774,
    tokens: tokensOf(text, retried ? prefixLength : 0),
    feedback: won ? "The task was completed." : "Failure: the mug was not hot.",
  });
  return {
    step,
    task: { id: `household/train/1/${1000 * step + index}`, kind: "pick_heat_then_place_in_recep" },
    members: [
      member("base", 0, false, false, turns.slice(0, 4)),
      member("base", 1, true, false, turns),
      member("retry", 1, true, true, fixed),
    ],
    diagnoses: [
      { attempt: 0, report: null, invalid: "bad_json", text: '{"trajectory_summary": ' + hostileText },
      {
        attempt: 1,
        report: {
          trajectory_summary: "took mug 1 , put it in cabinet 2",
          root_cause_analysis: "mug 1 was not hot",
          trajectory_outcome: "failure",
          improvement_suggestion: "heat mug 1 with microwave 1",
          retry_from_step: pivot,
        },
        text: '{"trajectory_summary": "took mug 1 , put it in cabinet 2"}',
      },
    ],
    retries: [{ base: 1, order: 0, pivot, guidance: "heat mug 1 with microwave 1", diverged: false }],
  };
}

function tokensOf(turns: readonly string[][], trainFrom: number): TokenRecord[] {
  const words = [
    ...["<bos>", "<user>", "You are in the middle of a room. Your task is to: put a hot mug in cabinet."]
      .flatMap((text) => text.split(" ")).map((text) => [text, 0] as const),
    ...turns.flatMap(([action, observation], k) => [
      ...["<assistant>", `step_${k}`].map((text) => [text, 0] as const),
      ...`${action} <end>`.split(" ").map((text) => [text, 1] as const),
      ...["<user>", ...observation.split(" ")].map((text) => [text, 0] as const),
    ]),
  ];
  return words.map(([text, sampled], t) => [
    text,
    text.length + 7,
    sampled,
    sampled === 1 && t >= trainFrom ? 1 : 0,
    sampled === 1 ? -0.1 * (t % 7) : 0,
  ]);
}
