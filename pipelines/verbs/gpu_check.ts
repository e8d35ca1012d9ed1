/**
 * `deno task gpu-check`: whether a device computes what the CPU computes, and how fast.
 *
 * @module
 */
import { Effect } from "effect";
import type { RunConfig } from "../../stages/config/run_config.ts";
import { EngineError } from "../../stages/errors.ts";
import { readConfig } from "../command/read_config.ts";
import { requirePolicy } from "../command/require_policy.ts";
import { runVerb } from "../command/run_verb.ts";
import type { Verb } from "../command/verb.ts";
import { compareDevices } from "../device_check/compare_devices.ts";
import { type DeviceMeasurement, measureDevice } from "../device_check/measure_device.ts";
import { table } from "../terminal/table.ts";

const verb: Verb = {
  name: "gpu-check",
  summary:
    "Runs a training step and a generation on a device and on the CPU: speeds, and whether they agree.",
  usage: "[config.yaml] [section.key=value ...]",
  details: [
    "The device is engine.provider; cuda if that is auto. The model is policy.path.",
    "Exits with 1 where the device is absent or disagrees. See docs/gpu.md.",
  ],
  sections: ["policy", "rollout", "engine"],
};

const size = { rows: 16, length: 128, sequences: 32, maxTokens: 64 };
const withProvider = (config: RunConfig, provider: RunConfig["engine"]["provider"]): RunConfig => ({
  ...config,
  engine: { ...config.engine, provider },
});

const speeds = (label: string, of: (device: DeviceMeasurement) => number, devices: DeviceMeasurement[]) => [
  label,
  ...devices.map((device) => of(device).toLocaleString("en-US", { maximumSignificantDigits: 3 })),
];

if (import.meta.main) {
  await runVerb(verb, (args) =>
    Effect.gen(function* () {
      const config = yield* readConfig(args);
      yield* requirePolicy(config);
      const { provider } = config.engine;
      const device = yield* measureDevice(
        withProvider(config, provider === "auto" ? "cuda" : provider),
        size,
      );
      const cpuConfig = withProvider(config, "cpu");
      const cpu = yield* measureDevice(cpuConfig, size);
      const devices = [device, cpu];
      console.log(table([
        [`gpu-check of ${config.policy.path}`, ...devices.map(({ provider }) => provider)],
        speeds("seconds to the first step", ({ startSeconds }) => startSeconds, devices),
        speeds("training, tokens/s", ({ trainedPerSecond }) => trainedPerSecond, devices),
        speeds("sampling, tokens/s", ({ sampledPerSecond }) => sampledPerSecond, devices),
      ]));
      const found = yield* compareDevices(cpuConfig, cpu, device);
      console.log(
        "\n" + table([
          ["difference from the CPU", "found", "at most", ""],
          ...found.map(({ what, found, most }) => [
            ...[what, found.toExponential(1), most.toExponential(0)],
            found <= most ? "agrees" : "DISAGREES",
          ]),
        ]),
      );
      if (found.every(({ found, most }) => found <= most)) return;
      return yield* new EngineError({
        operation: `trust ${device.provider}`,
        reason: "it computes something else than the CPU does",
      });
    }));
}
