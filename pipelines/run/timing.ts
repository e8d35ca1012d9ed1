import { Tracer } from "effect";

/**
 * Sums how long spans of each name took. Spans nest (`sample` holds `policy` and
 * `environment`), so what a stage itself took is its sum less those of its parts.
 */
export class Timing {
  readonly #seconds = new Map<string, number>();
  /** Give it to `Effect.withTracer`. */
  readonly tracer: Tracer.Tracer;

  constructor() {
    const add = (name: string, nanoseconds: bigint) =>
      this.#seconds.set(name, (this.#seconds.get(name) ?? 0) + Number(nanoseconds) / 1e9);
    class TimedSpan extends Tracer.NativeSpan {
      override end(...[endTime, exit]: Parameters<Tracer.NativeSpan["end"]>): void {
        add(this.name, endTime - this.status.startTime);
        super.end(endTime, exit);
      }
    }
    this.tracer = Tracer.make({ span: (options) => new TimedSpan(options) });
  }

  /** Seconds by span name since the last call, which are then forgotten. */
  take(): Readonly<Record<string, number>> {
    const seconds = Object.fromEntries(this.#seconds);
    this.#seconds.clear();
    return seconds;
  }
}
