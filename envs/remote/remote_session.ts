import type { Json } from "../env.ts";

/** What a server says after a reset or a step, whatever its protocol. */
export interface RemoteAnswer {
  readonly observation: string;
  /** Admissible commands, if the server tells them. */
  readonly admissible?: readonly string[];
  /** Reward of this step. */
  readonly reward: number;
  /** Score of the episode so far; null if the server tells none. */
  readonly score: number | null;
  readonly done: boolean;
  /** The server's verdict in words, if it tells one. */
  readonly feedback?: string;
}

/** One episode after the other on a server. Whatever goes wrong is a RemoteFault. */
export interface RemoteSession {
  /** Whether the server is there at all, tried as often as a reset; begins nothing. */
  reach(): Promise<void>;
  /** Begins an episode anew, with a new connection if the last one was lost. */
  reset(data: Json): Promise<RemoteAnswer>;
  step(action: string): Promise<RemoteAnswer>;
  /** Never throws. */
  close(): Promise<void>;
}
