import { createHash } from "node:crypto";
import { Result, Schema } from "effect";

/** `manifest.json` of a checkpoint: where the run stood and what the folder must hold. */
export const CheckpointManifest = Schema.Struct({
  format: Schema.Literal(1),
  /** Optimiser steps taken. */
  step: Schema.Int,
  /** Index of the next task. Random numbers are addressed by coordinates, so there is no generator state. */
  cursor: Schema.Int,
  /** Tokens that the policy service sampled for these steps; absent = 0. */
  tokens: Schema.optionalKey(Schema.Int),
  /** Hash of the configuration without what may change between starts. */
  config: Schema.String,
  files: Schema.Record(Schema.String, Schema.Struct({ bytes: Schema.Int, sha256: Schema.String })),
});
/** What {@link CheckpointManifest} decodes to. */
export type CheckpointManifest = typeof CheckpointManifest.Type;

/** A whole checkpoint. */
export interface Checkpoint {
  readonly folder: string;
  readonly manifest: CheckpointManifest;
}

/** SHA-256 of a text or of bytes, in hexadecimal. */
export function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

/** Reads a checkpoint and checks every file against its manifest; a string says what is wrong. */
export function readCheckpoint(folder: string): Checkpoint | string {
  let text: string;
  try {
    text = Deno.readTextFileSync(`${folder}/manifest.json`);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "it has no manifest.json";
    if (error instanceof Deno.errors.NotADirectory) return "it is no folder";
    throw error;
  }
  const decoded = Schema.decodeUnknownResult(Schema.fromJsonString(CheckpointManifest))(text);
  if (Result.isFailure(decoded)) return "its manifest.json is torn or foreign";
  const manifest = decoded.success;
  for (const [name, { bytes, sha256: expected }] of Object.entries(manifest.files)) {
    const fault = fileFault(`${folder}/${name}`, bytes, expected);
    if (fault !== undefined) return `${name} ${fault}`;
  }
  return { folder, manifest };
}

function fileFault(path: string, bytes: number, expected: string): string | undefined {
  try {
    const { size } = Deno.statSync(path);
    if (size !== bytes) return `has ${size} bytes instead of ${bytes}`;
    return sha256(Deno.readFileSync(path)) === expected ? undefined : "does not match its checksum";
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "is missing";
    throw error;
  }
}
