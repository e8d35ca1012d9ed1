import { Effect } from "effect";
import { InferenceSession } from "onnxruntime-node";
import { EngineError } from "../../errors.ts";

/** Makes an ONNX Runtime session from an encoded model. The caller releases it. */
export function createSession(
  model: Uint8Array,
  options: InferenceSession.SessionOptions,
): Effect.Effect<InferenceSession, EngineError> {
  return Effect.tryPromise({
    try: () => InferenceSession.create(model, options),
    catch: (cause) =>
      new EngineError({ operation: "create an ONNX Runtime session", reason: (cause as Error).message }),
  });
}
