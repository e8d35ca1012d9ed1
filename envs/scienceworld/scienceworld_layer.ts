import { Effect, Layer } from "effect";
import { dirname } from "node:path";
import type { ScienceWorldConfig } from "../../stages/config/scienceworld_config.ts";
import { FileError } from "../../stages/errors.ts";
import type { Environment } from "../env.ts";
import type { EnvironmentChoice } from "../environment_choice.ts";
import { environmentLayer } from "../environment_layer.ts";
import { findJar } from "./find_jar.ts";
import { scienceWorldFormat } from "./format.ts";
import { ScienceWorld } from "./scienceworld.ts";
import { scienceWorldTasks } from "./scienceworld_tasks.ts";
import { Simulator } from "./simulator.ts";
import { SimulatorPool } from "./simulator_pool.ts";

/** Share of an operation's deadline that one Java process may take: the rest is for the queue. */
const processShare = 0.8;

/**
 * ScienceWorld as a service; its Java processes start first and end with it. A jar
 * that is missing, a Java that does not start, and options that the simulator does
 * not have are a `FileError`.
 */
export function scienceWorldLayer(choice: EnvironmentChoice): Layer.Layer<Environment, FileError> {
  const { scienceworld, kinds, maxTurns, timeoutMs } = choice;
  return Layer.unwrap(Effect.gen(function* () {
    const jar = yield* attempt(scienceworld, () => findJar(scienceworld.jar));
    const pool = new SimulatorPool({
      start: () => Simulator.start({ jar: jar.path, folder: dirname(jar.path), heapMib: 512 }),
      size: scienceworld.jvms,
      limitMs: Math.round(timeoutMs * processShare),
    });
    yield* Effect.acquireRelease(
      attempt(scienceworld, () => pool.open()),
      () => Effect.promise(() => pool.close()),
    );
    const tasks = yield* attempt(scienceworld, () =>
      scienceWorldTasks({
        simplifications: scienceworld.simplifications,
        ...(kinds === null ? {} : { kinds }),
        ...(maxTurns === null ? {} : { maxTurns }),
      }));
    const { reward } = scienceworld;
    return environmentLayer({
      name: "scienceworld",
      make: () => new ScienceWorld({ pool, reward, jar: jar.hash }),
      tasks,
      format: scienceWorldFormat,
      timeoutMs,
    });
  }));
}

function attempt<A>({ jar }: ScienceWorldConfig, run: () => A | Promise<A>): Effect.Effect<A, FileError> {
  return Effect.tryPromise({
    try: async () => await run(),
    catch: (error) =>
      error instanceof FileError
        ? error
        : new FileError({ path: jar ?? "scienceworld", reason: (error as Error).message.split("\n")[0] }),
  });
}
