/**
 * A pipeline in the wrong order does not compile. Nothing here runs; the checks are
 * the `@ts-expect-error` lines, each of which fails type-checking if its line compiles.
 *
 * @module
 */
import { Effect, Stream } from "effect";
import { amplify } from "../../stages/amplify/amplify.ts";
import type { Engine } from "../../stages/engine/engine.ts";
import type { EngineError, ScoreError } from "../../stages/errors.ts";
import { mask } from "../../stages/mask/mask.ts";
import type { Amplified, Diagnosed, Sampled, StepReport, Stitched } from "../../stages/record.ts";
import { score } from "../../stages/score/score.ts";
import { synchronise } from "../../stages/update/synchronise.ts";
import { update } from "../../stages/update/update.ts";

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false;

const trained = update({
  groups: 1,
  lr: () => 1e-3,
  adamw: { beta1: 0.9, beta2: 0.98, eps: 1e-8, weightDecay: 0, clipNorm: 1 },
});

function rightOrder(tasks: Stream.Stream<Stitched>) {
  return tasks.pipe(score(), mask(), amplify(), trained);
}

/** Errors and services add up in the type of the whole. */
const whole: Equal<
  ReturnType<typeof rightOrder>,
  Stream.Stream<StepReport, ScoreError | EngineError, Engine>
> = true;

function leftOut(stitched: Stream.Stream<Stitched>, sampled: Stream.Stream<Sampled>) {
  // @ts-expect-error mask needs what score adds
  stitched.pipe(mask());
  // @ts-expect-error amplify needs what mask adds
  stitched.pipe(score(), amplify());
  // @ts-expect-error update needs what amplify adds
  stitched.pipe(score(), mask(), trained);
  // @ts-expect-error score needs what diagnose and stitch add
  sampled.pipe(score());
  // @ts-expect-error a step report comes after update only
  stitched.pipe(score(), mask(), amplify(), synchronise());
}

function swapped(stitched: Stream.Stream<Stitched>, diagnosed: Stream.Stream<Diagnosed>) {
  // @ts-expect-error amplify before mask
  stitched.pipe(score(), amplify(), mask());
  // @ts-expect-error mask before score
  stitched.pipe(mask(), score());
  // @ts-expect-error score before stitch
  diagnosed.pipe(score(), mask());
}

function withoutServices(amplified: Stream.Stream<Amplified>) {
  const reports = amplified.pipe(trained, synchronise());
  // @ts-expect-error nothing provides Engine and Policy
  return Effect.runPromise(Stream.runDrain(reports));
}

Deno.test("a pipeline's errors and services are in its type; wrong orders do not compile", () => {
  if (!whole || [leftOut, swapped, withoutServices].some((f) => typeof f !== "function")) throw new Error();
});
