import { r3l } from "./r3l.ts";

/** Training pipelines by the name that `algorithm.name` gives. */
export const pipelines = { r3l } as const;

/** A name in {@link pipelines}. */
export type PipelineName = keyof typeof pipelines;
