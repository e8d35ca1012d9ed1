import { assert, assertEquals } from "@std/assert";
import { Effect, Result } from "effect";
import { loadRunConfig } from "../../../pipelines/run/load_run_config.ts";
import { compareDevices } from "../../../pipelines/device_check/compare_devices.ts";
import { type DeviceMeasurement, measureDevice } from "../../../pipelines/device_check/measure_device.ts";

const config = Result.getOrThrow(
  loadRunConfig({ source: "test", overrides: ["engine.provider=cpu", "engine.threads=1"] }),
);
const size = { rows: 2, length: 12, sequences: 3, maxTokens: 5 };

Deno.test("a device that computes what the CPU computes agrees, any other does not", async () => {
  const cpu = await Effect.runPromise(measureDevice(config, size));
  assertEquals(cpu.logprobs.length, 2 * 11);
  assertEquals(cpu.generations.length, 3);
  assert(cpu.trainedPerSecond > 0 && cpu.sampledPerSecond > 0 && cpu.gradNorm > 0);
  const disagreeing = async (device: Partial<DeviceMeasurement>) => {
    const found = await Effect.runPromise(compareDevices(config, cpu, { ...cpu, ...device }));
    return found.filter(({ found, most }) => !(found <= most)).map(({ what }) => what.split(" (")[0]);
  };
  const shifted = (logprobs: readonly number[], by: number) => logprobs.map((x, i) => i === 3 ? x + by : x);
  const sampled = (by: number) =>
    cpu.generations.map(({ logprobs, ...rest }) => ({ ...rest, logprobs: logprobs.map((x) => x + by) }));
  assertEquals(await disagreeing({}), []);
  assertEquals(await disagreeing({ logprobs: shifted(cpu.logprobs, 0.01) }), []);
  for (const by of [0.05, NaN]) {
    assertEquals(await disagreeing({ logprobs: shifted(cpu.logprobs, by) }), ["log-probabilities"]);
    assertEquals(await disagreeing({ gradNorm: cpu.gradNorm * (1 + by) }), ["gradient norm"]);
    assertEquals(await disagreeing({ generations: sampled(by) }), ["sampled log-probabilities"]);
  }
});
