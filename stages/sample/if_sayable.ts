import { EnvError, PolicyError } from "../errors.ts";

/** What `run` returns; undefined if a format or a chat template cannot say it. */
export function ifSayable<A>(run: () => A): A | undefined {
  try {
    return run();
  } catch (error) {
    if (error instanceof EnvError || error instanceof PolicyError) return undefined;
    throw error;
  }
}
