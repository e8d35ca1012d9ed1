import type { Metrics } from "../../stages/record.ts";
import { progressLine } from "./progress_line.ts";
import { terminalWidth } from "./terminal_width.ts";
import { wrapMessage } from "./wrap_message.ts";

/** Tells people how a long command gets on. */
export interface Progress {
  /** A step is done (1-based). */
  readonly step: (step: number, metrics: Metrics) => void;
  /** What is going on between steps, e.g. `evaluating 64/200`: redrawn on a terminal, left out elsewhere. */
  readonly activity: (text: string) => void;
  /** A line that stays. */
  readonly note: (text: string) => void;
  /** Leaves the last step's live line behind and clears an activity; call it once at the end. */
  readonly end: () => void;
}

/** Where lines go and what time it is; by default standard output. */
export interface ProgressOptions {
  /** First step is `firstStep + 1`. Default 0. */
  readonly firstStep?: number;
  readonly isTerminal?: boolean;
  /** Columns that notes are broken to; by default the terminal's, elsewhere none. */
  readonly width?: number;
  readonly write?: (text: string) => void;
  /** Milliseconds. */
  readonly now?: () => number;
}

/** `auto` is `live` on a terminal and `lines` elsewhere. */
export type ProgressMode = "auto" | "live" | "lines" | "none";

/** Progress of a run of `totalSteps` steps: one line that is redrawn, or one line a step. */
export function makeProgress(
  mode: ProgressMode,
  totalSteps: number,
  options: ProgressOptions = {},
): Progress {
  const encoder = new TextEncoder();
  const write = options.write ?? ((text) => {
    try {
      Deno.stdout.writeSync(encoder.encode(text));
    } catch {
      // Nobody reads any more (a closed pipe, a full disk): the work itself goes on.
    }
  });
  const now = options.now ?? (() => performance.now());
  const terminal = options.isTerminal ?? Deno.stdout.isTerminal();
  const live = mode === "live" || (mode === "auto" && terminal);
  const width = options.width ?? (terminal ? terminalWidth(Deno.stdout) : undefined) ?? Infinity;
  const firstStep = options.firstStep ?? 0;
  // Time between a note (an evaluation's result) and the step before it belongs to no step.
  let last = now();
  let inSteps = 0;
  let drawn: "nothing" | "step" | "activity" = "nothing";

  const clear = () => {
    if (drawn !== "nothing") write("\r\x1b[K");
    drawn = "nothing";
  };
  const draw = (text: string, what: "step" | "activity") => {
    clear();
    write(text.slice(0, 80));
    drawn = what;
  };
  return {
    step: (step, metrics) => {
      const time = now();
      inSteps += time - last;
      const line = progressLine(metrics, {
        step,
        totalSteps,
        stepSeconds: (time - last) / 1000,
        secondsLeft: inSteps / 1000 / Math.max(1, step - firstStep) * (totalSteps - step),
      });
      last = time;
      if (live) draw(line, "step");
      else if (mode !== "none") write(line + "\n");
    },
    activity: (text) => {
      if (live) draw(text, "activity");
    },
    note: (text) => {
      clear();
      write(wrapMessage(text, width) + "\n");
      last = now();
    },
    end: () => {
      if (drawn === "step") write("\n");
      else clear();
      drawn = "nothing";
    },
  };
}
