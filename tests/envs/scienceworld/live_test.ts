/**
 * Against the real simulator, where `SCIENCEWORLD_JAR` names its jar.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { dirname } from "node:path";
import type { Task } from "../../../envs/env.ts";
import { taskNames, variations } from "../../../envs/scienceworld/catalogue.ts";
import { findJar } from "../../../envs/scienceworld/find_jar.ts";
import { ScienceWorld } from "../../../envs/scienceworld/scienceworld.ts";
import { scienceWorldTasks } from "../../../envs/scienceworld/scienceworld_tasks.ts";
import { Simulator } from "../../../envs/scienceworld/simulator.ts";
import { SimulatorPool } from "../../../envs/scienceworld/simulator_pool.ts";
import { splitVariations } from "../../../envs/scienceworld/split_variations.ts";
import { EnvError } from "../../../stages/errors.ts";

const ignore = Deno.env.get("SCIENCEWORLD_JAR") === undefined;

async function start(): Promise<Simulator> {
  const { path } = await findJar(null);
  return await Simulator.start({ jar: path, folder: dirname(path), heapMib: 512 });
}

Deno.test({
  name: "the real simulator has these tasks, variations and splits",
  ignore,
  fn: async () => {
    const simulator = await start();
    try {
      assertEquals((await simulator.taskNames()).sort(), [...taskNames].sort());
      for (const name of taskNames) assertEquals(await simulator.variationCount(name), variations[name]);
      for (const name of ["boil", "identify-life-stages-2"] as const) {
        await simulator.load(name, 0, "easy");
        for (const [theirs, ours] of [["Train", "train"], ["Dev", "valid"], ["Test", "test"]] as const) {
          const [from, to] = splitVariations(variations[name], ours);
          const list = Array.from({ length: to - from }, (_, i) => from + i);
          assertEquals(await simulator.variations(theirs), list);
        }
      }
    } finally {
      await simulator.stop();
    }
  },
});

Deno.test({
  name: "in the real simulator gold commands win, replays agree, and a killed process is replaced",
  ignore,
  fn: async () => {
    const running: Simulator[] = [];
    const pool = new SimulatorPool({
      start: async () => {
        running.push(await start());
        return running[running.length - 1];
      },
      size: 1,
      limitMs: 60_000,
    });
    const { hash: jar } = await findJar(null);
    try {
      const source = scienceWorldTasks({ simplifications: "easy", kinds: { "find-living-thing": 1 } });
      const env = new ScienceWorld({ pool, reward: "score", jar, gold: true });
      await env.reset(source.task("valid", 0) as Task);
      const gold = env.oracle();
      for (const command of gold.slice(0, 3)) await env.step(command);
      const saved = env.snapshot();
      const straight = [];
      for (const command of gold.slice(3)) straight.push(await env.step(command));
      assertEquals(straight.at(-1)!.won, true);

      const other = new ScienceWorld({ pool, reward: "score", jar });
      await other.restore(saved);
      await running[0].stop();
      const failed = await other.step(gold[3]).then(() => null, (error) => error);
      assert(failed instanceof EnvError && failed.reason.includes("Java process"), String(failed));
      const again = [];
      for (const command of gold.slice(3)) again.push(await other.step(command));
      assertEquals(again, straight);
      assertEquals(running.length, 2);
    } finally {
      await pool.close();
    }
  },
});
