import { RemoteFault } from "./remote_fault.ts";

const firstDelayMs = 100;
const longestDelayMs = 2000;

/**
 * Runs `attempt` and, while the server refuses or is full, runs it again up to
 * `retries` times, after 0.1, 0.2, 0.4 ... at most 2 seconds. Only for what may be
 * done twice: never for a step.
 */
export async function withRetries<A>(retries: number, attempt: () => Promise<A>): Promise<A> {
  for (let tries = 0;; tries++) {
    try {
      return await attempt();
    } catch (error) {
      const passing = error instanceof RemoteFault && (error.kind === "refused" || error.kind === "full");
      if (!passing || tries >= retries) throw error;
      const delay = Math.min(longestDelayMs, firstDelayMs * 2 ** tries);
      await new Promise((resolve) => setTimeout(resolve, delay));
    }
  }
}
