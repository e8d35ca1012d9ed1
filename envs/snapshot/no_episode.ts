import { EnvError } from "../../stages/errors.ts";

/** What an environment answers that is asked to do something before its first reset. */
export function noEpisode(environment: string, operation: string): EnvError {
  return new EnvError({ environment, task: "", operation, reason: "no episode has been reset" });
}
