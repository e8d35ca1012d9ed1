import { Effect } from "effect";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { InferenceSession } from "onnxruntime-node";
import { EngineError } from "../../errors.ts";
import { createSession } from "./create_session.ts";
import { GraphBuilder } from "./graph.ts";

/** Where graphs run: `auto` is CUDA where its libraries are installed and a device answers, else the CPU. */
export type ProviderName = "auto" | "cpu" | "cuda" | "webgpu";

/** A provider that answers here. */
export interface Provider {
  readonly name: Exclude<ProviderName, "auto">;
  /** For people: `cpu (2 threads)`. */
  readonly description: string;
  readonly options: InferenceSession.SessionOptions;
}

const CUDA_PROVIDER = "libonnxruntime_providers_cuda.so";

/** What that library is linked to; each must be where the loader finds it. */
const CUDA_LIBRARIES = [
  "libcublasLt.so.13",
  "libcublas.so.13",
  "libcurand.so.10",
  "libcudart.so.13",
  "libcuda.so.1",
];

/** What a missing provider needs, told to who asked for it. */
const requirements = {
  cuda:
    `install ${CUDA_PROVIDER} of ONNX Runtime 1.29.0 beside onnxruntime-node's libonnxruntime.so.1, and ` +
    `CUDA 13 with its driver (${CUDA_LIBRARIES.join(", ")}) where the loader finds them`,
  webgpu: "install the Vulkan, Metal or Direct3D 12 driver of a GPU",
} as const;

/**
 * Chooses the execution provider. One that was asked for by name and does not
 * answer is an EngineError that says what was looked for; `auto` falls back.
 *
 * @param threads Threads of the CPU provider, which also runs what another one cannot.
 */
export function chooseProvider(name: ProviderName, threads: number): Effect.Effect<Provider, EngineError> {
  if (!Number.isInteger(threads) || threads < 1) {
    return Effect.fail(
      new EngineError({
        operation: "start the engine",
        reason: `threads is ${threads}, expected an integer ≥ 1`,
      }),
    );
  }
  switch (name) {
    case "cpu":
      return Effect.succeed(makeProvider("cpu", threads));
    case "cuda":
    case "webgpu":
      return probe(makeProvider(name, threads));
    case "auto":
      return probe(makeProvider("cuda", threads)).pipe(
        Effect.catch(() => Effect.succeed(makeProvider("cpu", threads))),
      );
  }
}

function makeProvider(name: Provider["name"], threads: number): Provider {
  return {
    name,
    description: name === "cpu" ? `cpu (${threads} thread${threads === 1 ? "" : "s"})` : name,
    options: {
      executionProviders: name === "cpu" ? ["cpu"] : [name, "cpu"],
      intraOpNumThreads: threads,
      graphOptimizationLevel: "all",
      logSeverityLevel: 3,
      // The exponential of a masked score passes through subnormal numbers, which cost a CPU three
      // times the whole softmax. The first session of a process decides for all of its CPU sessions.
      extra: { session: { set_denormal_as_zero: "1" } },
    },
  };
}

/** Runs nothing but creates a session: that loads the provider's libraries and opens the device. */
function probe(provider: Provider): Effect.Effect<Provider, EngineError> {
  const missing = (found: string) =>
    new EngineError({
      operation: `use the ${provider.name} execution provider`,
      reason: `${found}; ${requirements[provider.name as keyof typeof requirements]}`,
    });
  return Effect.gen(function* () {
    if (provider.name === "cuda") {
      const path = join(runtimeFolder(), CUDA_PROVIDER);
      if (!(yield* exists(path))) {
        return yield* Effect.fail(missing(`looked for ${path}, which is not there`));
      }
      // The runtime would only write to the log which library it could not load.
      const absent = CUDA_LIBRARIES.filter((name) => !isLoadable(name));
      if (absent.length > 0) {
        return yield* Effect.fail(missing(`looked for ${absent.join(", ")}, which the loader does not find`));
      }
    }
    const graph = new GraphBuilder();
    graph.node("Identity", [graph.input("x", "float32", [1])], { outputs: ["y"] });
    graph.output("y", "float32", [1]);
    yield* createSession(graph.bytes(), provider.options).pipe(
      Effect.mapError((error) => missing(`it does not answer: ${error.reason.trim()}`)),
      Effect.flatMap((session) => Effect.promise(() => session.release())),
    );
    return provider;
  });
}

function isLoadable(library: string): boolean {
  try {
    Deno.dlopen(library, {}).close();
    return true;
  } catch {
    return false;
  }
}

/** The folder of onnxruntime-node's own libraries. */
function runtimeFolder(): string {
  const require = createRequire(import.meta.url);
  const root = dirname(require.resolve("onnxruntime-node/package.json"));
  const arch = Deno.build.arch === "x86_64" ? "x64" : "arm64";
  return join(root, "bin", "napi-v6", Deno.build.os, arch);
}

function exists(path: string): Effect.Effect<boolean> {
  return Effect.promise(() => Deno.stat(path).then(() => true, () => false));
}
