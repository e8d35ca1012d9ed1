/**
 * The worker's side of a `WorkerLane`: a generator that is driven by messages.
 *
 * @module
 */
import { PolicyError } from "../../../errors.ts";
import type { Weights } from "../../../engine/weights.ts";
import type { Generation, PolicyCounters } from "../../policy.ts";
import type { LaneReply, LaneRequest } from "./_lane_messages.ts";
import { Generator } from "../generator.ts";

const scope = globalThis as unknown as {
  onmessage: (event: MessageEvent<LaneRequest>) => void;
  postMessage: (reply: LaneReply) => void;
};
let generator: Generator | undefined;
let held: Weights = new Map();
let running: AbortController | undefined;
const nothing: PolicyCounters = { generatedTokens: 0, prefillTokens: 0 };

async function serve(request: LaneRequest): Promise<readonly Generation[]> {
  switch (request.kind) {
    case "open":
      held = request.options.weights;
      generator = await Generator.create(request.options);
      break;
    case "generate":
      running = new AbortController();
      return await generator!.generate(request.requests, running.signal);
    case "sync":
      held = new Map([...held, ...request.weights]);
      await generator!.sync(held, request.version);
      break;
    case "close":
      await generator!.close();
  }
  return [];
}

scope.onmessage = async ({ data: request }) => {
  if (request.kind === "abort") return running?.abort();
  if (request.kind === "release") return generator?.release(request.sessions);
  const reply = (rest: Partial<LaneReply>) =>
    scope.postMessage({ generations: [], counters: generator?.counters ?? nothing, ...rest });
  try {
    reply({ generations: await serve(request) });
  } catch (cause) {
    reply({
      error: cause instanceof PolicyError
        ? { operation: cause.operation, reason: cause.reason }
        : { operation: request.kind, reason: cause instanceof Error ? cause.message : String(cause) },
    });
  }
};
