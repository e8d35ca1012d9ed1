/**
 * What can go wrong between us and a server:
 * - `refused`: nobody answers at the address, or it answers with a passing fault (5xx, 429);
 * - `full`: it has as many sessions as it allows;
 * - `denied`: this process may not reach the address;
 * - `late`: no answer before the deadline;
 * - `lost`: the connection ended;
 * - `malformed`: an answer that is none of the protocol;
 * - `failed`: the server says that an operation failed;
 * - `bad_action`: it says that the action is none of its own.
 */
export type RemoteFaultKind =
  | "refused"
  | "full"
  | "denied"
  | "late"
  | "lost"
  | "malformed"
  | "failed"
  | "bad_action";

/** A fault of a server or of the way to it; `RemoteEnv` adds environment, task and operation. */
export class RemoteFault extends Error {
  constructor(readonly kind: RemoteFaultKind, message: string) {
    super(message);
  }
}

/** An answer, cut to what fits into a message. */
export function shown(answer: unknown): string {
  const text = typeof answer === "string" ? answer : JSON.stringify(answer) ?? String(answer);
  return text.length > 80 ? text.slice(0, 77) + "..." : text;
}
