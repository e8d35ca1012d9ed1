/**
 * The script of a worker that runs verifiers by name.
 *
 * @module
 */
import { type VerifierName, verifiers } from "../verifiers.ts";
import type { WorkerRequest } from "./killable_worker.ts";

interface Scope {
  onmessage: (event: MessageEvent<WorkerRequest>) => void;
  postMessage(answer: unknown): void;
}

const scope = globalThis as unknown as Scope;
scope.onmessage = ({ data: { name, args } }) => {
  try {
    const verify = verifiers[name as VerifierName] as (...args: readonly unknown[]) => unknown;
    scope.postMessage(verify(...args));
  } catch (error) {
    scope.postMessage({ failure: String(error) });
  }
};
scope.postMessage("ready");
