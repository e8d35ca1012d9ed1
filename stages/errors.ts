/**
 * What can go wrong in a way that a user can cause, mend or retry. Each error
 * carries the offending value and where it was found; a bug stays a defect.
 *
 * @module
 */
import { Schema } from "effect";

/** A configuration that cannot be used; `faults` lists every fault at once, each with its path. */
export class ConfigError extends Schema.TaggedError<ConfigError>()("ConfigError", {
  source: Schema.String,
  faults: Schema.Array(Schema.Struct({ path: Schema.String, message: Schema.String })),
}) {
  override get message(): string {
    return [
      `${this.source}: ${this.faults.length} fault(s)`,
      ...this.faults.map((f) => `  ${f.path}: ${f.message}`),
    ].join("\n");
  }
}

/** A file that is missing, truncated, foreign or at odds with another one. */
export class FileError extends Schema.TaggedError<FileError>()("FileError", {
  path: Schema.String,
  reason: Schema.String,
}) {
  override get message(): string {
    return `${this.path}: ${this.reason}`;
  }
}

/** The execution engine failed or cannot run here. */
export class EngineError extends Schema.TaggedError<EngineError>()("EngineError", {
  operation: Schema.String,
  reason: Schema.String,
}) {
  override get message(): string {
    return `Cannot ${this.operation}: ${this.reason}`;
  }
}

/** The policy could not generate, e.g. a prompt that does not fit the context. */
export class PolicyError extends Schema.TaggedError<PolicyError>()("PolicyError", {
  operation: Schema.String,
  reason: Schema.String,
}) {
  override get message(): string {
    return `Cannot ${this.operation}: ${this.reason}`;
  }
}

/** An environment threw, hung or answered nonsense. */
export class EnvError extends Schema.TaggedError<EnvError>()("EnvError", {
  environment: Schema.String,
  task: Schema.String,
  operation: Schema.String,
  reason: Schema.String,
  /** The first turn at which a replayed episode answered otherwise than it did, 0 for the reset. */
  divergedAt: Schema.optionalKey(Schema.Int),
}) {
  override get message(): string {
    return `Environment ${this.environment}, task ${this.task}: cannot ${this.operation}: ${this.reason}`;
  }
}

/** A reward that is no number where one is needed. */
export class ScoreError extends Schema.TaggedError<ScoreError>()("ScoreError", {
  task: Schema.String,
  attempt: Schema.Int,
  reason: Schema.String,
}) {
  override get message(): string {
    return `Task ${this.task}, attempt ${this.attempt}: cannot score: ${this.reason}`;
  }
}
