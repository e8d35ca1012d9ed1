/** Codes of OpenEnv's error frames (openenv 0.10, `WSErrorCode`) that this server uses. */
export type OpenEnvErrorCode =
  | "INVALID_JSON"
  | "UNKNOWN_TYPE"
  | "VALIDATION_ERROR"
  | "EXECUTION_ERROR"
  | "CAPACITY_REACHED";

/** One field that a message has wrong, as pydantic says it. */
export interface FieldFault {
  readonly type: string;
  readonly loc: readonly string[];
  readonly msg: string;
}

/** What a client did wrong, or what failed: answered with an error frame. */
export class ServeFault extends Error {
  constructor(
    readonly code: OpenEnvErrorCode,
    message: string,
    readonly errors: readonly FieldFault[] = [],
  ) {
    super(message);
  }
}
