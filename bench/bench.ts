/**
 * `deno task bench`: speeds as ratios to a plain matrix product of the same run,
 * so that they hold on a noisy machine. Writes bench/results.json.
 *
 * @module
 */
import { Effect } from "effect";
import { table } from "../pipelines/terminal/table.ts";
import { readLlamaFolder } from "../stages/engine/read_llama_folder.ts";
import { benchCheckpoint } from "./checkpoint_bench.ts";
import { benchDecode } from "./decode_bench.ts";
import { benchEngine } from "./engine_bench.ts";
import { benchHousehold, householdBars } from "./household_bench.ts";
import { benchRun } from "./run_bench.ts";
import { benchShop, shopBars } from "./shop_bench.ts";
import { benchVerifiers, verifiersBars } from "./verifiers_bench.ts";

/** Bars that a release meets. */
const BARS: Readonly<Record<string, readonly ["at least" | "at most", number]>> = {
  update_vs_matmul: ["at least", 0.6],
  decode_vs_matmul: ["at least", 0.2],
  stage_overhead: ["at most", 0.05],
  peak_memory_gb: ["at most", 2],
  real_update_vs_matmul: ["at least", 0.6],
  real_decode_vs_bandwidth: ["at least", 0.5],
  memory_prediction_error: ["at most", 0.2],
  ...Object.fromEntries(Object.entries(verifiersBars).map(([name, bar]) => [name, ["at least", bar]])),
  ...Object.fromEntries(Object.entries(shopBars).map(([name, bar]) => [name, ["at most", bar]])),
  ...Object.fromEntries(Object.entries(householdBars).map(([name, bar]) => [name, ["at most", bar]])),
};

const say = (text: string) => console.error(text);

if (import.meta.main) {
  if (Deno.args.length > 0) {
    console.log(
      "deno task bench\n\nMeasures for some minutes and writes bench/results.json. It takes no arguments.",
    );
    Deno.exit(Deno.args.includes("--help") ? 0 : 2);
  }
  say("training a few steps of the default run ...");
  const run = await benchRun();
  say("memory, update and decoding of a 135-million-parameter model ...");
  const checkpoint = await benchCheckpoint();
  say("update and decoding of a 1.1-million-parameter model ...");
  const update = await benchEngine();
  const decode = await benchDecode();
  say("update and decoding of the shipped policy ...");
  const { config } = await Effect.runPromise(readLlamaFolder("fixtures/policies/household"));
  const shippedUpdate = await benchEngine({ config });
  const shippedDecode = await benchDecode({ config });
  say("verdicts ...");
  const verdicts = benchVerifiers();
  say("search in a shop of 50,000 products ...");
  const shop = benchShop();
  say("household ...");
  const household = benchHousehold();
  const results = {
    machine: { threads: navigator.hardwareConcurrency, os: Deno.build.os, arch: Deno.build.arch },
    update_vs_matmul: update.ratio,
    decode_vs_matmul: decode.decode_vs_matmul,
    shipped_update_vs_matmul: shippedUpdate.ratio,
    shipped_decode_vs_matmul: shippedDecode.decode_vs_matmul,
    ...run,
    ...checkpoint,
    ...verdicts,
    ...shop,
    ...household,
    details: { update, decode, shipped_update: shippedUpdate, shipped_decode: shippedDecode },
  };
  Deno.writeTextFileSync("bench/results.json", JSON.stringify(results, null, 2) + "\n");
  const figures = Object.entries(results).filter((entry): entry is [string, number] =>
    typeof entry[1] === "number"
  );
  console.log(table([
    ["figure", "value", "bar"],
    ...figures.map(([name, value]) => [name, value.toPrecision(3), barText(name, value)]),
  ]));
  console.log("\nWritten: bench/results.json");
}

function barText(name: string, value: number): string {
  const bar = BARS[name];
  if (bar === undefined) return "";
  const [kind, limit] = bar;
  const met = kind === "at least" ? value >= limit : value <= limit;
  return `${kind} ${limit}${met ? "" : ", missed"}`;
}
