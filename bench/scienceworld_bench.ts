/**
 * `deno task bench-scienceworld`: steps a second of a pool of Java processes, where
 * `SCIENCEWORLD_JAR` names the simulator's jar.
 *
 * @module
 */
import { dirname } from "node:path";
import type { Task } from "../envs/env.ts";
import { findJar } from "../envs/scienceworld/find_jar.ts";
import { ScienceWorld } from "../envs/scienceworld/scienceworld.ts";
import { scienceWorldTasks } from "../envs/scienceworld/scienceworld_tasks.ts";
import { exitCodes } from "../pipelines/command/run_verb.ts";
import { FileError } from "../stages/errors.ts";
import { Simulator } from "../envs/scienceworld/simulator.ts";
import { SimulatorPool } from "../envs/scienceworld/simulator_pool.ts";

/** Bar that {@link benchScienceWorld} meets with four processes once they are warm. */
export const scienceWorldBar = 100;

/** Steps a second of all processes together. */
export interface ScienceWorldRates {
  /** Over the first steps, while Java still compiles most of what it runs. */
  readonly cold: number;
  /** After the steps to warm up. */
  readonly warm: number;
}

const commands = ["look around", "open door to kitchen", "teleport to kitchen", "inventory", "look at sink"];

/**
 * Environment steps a second of as many episodes as processes: of the first `steps`
 * steps of each, and of `steps` after `warmUp`. Loading is not counted.
 */
export async function benchScienceWorld(
  processes = 4,
  steps = 100,
  warmUp = 500,
): Promise<ScienceWorldRates> {
  const jar = await findJar(null);
  const pool = new SimulatorPool({
    start: () => Simulator.start({ jar: jar.path, folder: dirname(jar.path), heapMib: 512 }),
    size: processes,
    limitMs: 120_000,
  });
  await pool.open();
  try {
    const source = scienceWorldTasks({ simplifications: "easy", maxTurns: 1_000_000 });
    const envs = await Promise.all(Array.from({ length: processes }, async (_, i) => {
      const env = new ScienceWorld({ pool, reward: "score", jar: jar.hash });
      await env.reset(source.task("train", i) as Task);
      return env;
    }));
    const rate = async (count: number) => {
      const begin = performance.now();
      await Promise.all(envs.map(async (env) => {
        for (let k = 0; k < count; k++) await env.step(commands[k % commands.length]);
      }));
      return processes * count / (performance.now() - begin) * 1000;
    };
    const cold = await rate(steps);
    await rate(warmUp - steps);
    return { cold, warm: await rate(steps) };
  } finally {
    await pool.close();
  }
}

if (import.meta.main) {
  try {
    const { cold, warm } = await benchScienceWorld();
    console.log(`scienceworld_steps_per_second_cold ${cold.toFixed(0)}`);
    console.log(`scienceworld_steps_per_second ${warm.toFixed(0)} (at least ${scienceWorldBar})`);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    console.error(error.message);
    Deno.exit(exitCodes.badInput);
  }
}
