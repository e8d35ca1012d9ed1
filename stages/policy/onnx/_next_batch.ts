/** What decides where an unfinished sequence goes. */
export interface Candidate {
  /** Tokens that are not in its cache yet, ≥ 1. */
  readonly pending: number;
  /** Tokens in its cache. */
  readonly past: number;
  /** Tokens that it may still sample, ≥ 1. */
  readonly remaining: number;
}

/** Sizes of a batch. */
export interface BatchLimits {
  /** Most sequences in a batch. */
  readonly rows: number;
  /** Most tokens that one run samples for a sequence. */
  readonly steps: number;
  /** Most tokens that one run adds to a cache before sampling. */
  readonly prefill: number;
  /** Most attention scores (rows · heads · new · total) of a run's prefill. */
  readonly scores: number;
  readonly heads: number;
  /** Whether a run that adds more than one token to a cache samples no more than one. */
  readonly prefillsAlone: boolean;
}

/** The sequences of the next run, by index, and how many tokens it samples. */
export interface Batch {
  readonly rows: readonly number[];
  readonly steps: number;
  /** A part of a long prompt is computed; what is sampled is thrown away. */
  readonly partial: boolean;
}

/**
 * Chooses the next batch. It follows from the sequences alone: those with most
 * pending tokens first (so that padding is short), then those with the longest
 * past, then by position. Sequences that only continue share batches with each
 * other; batches are of even size rather than full with a small rest.
 */
export function nextBatch(candidates: readonly Candidate[], limits: BatchLimits): Batch {
  const order = candidates.map((_, i) => i).sort((a, b) =>
    candidates[b].pending - candidates[a].pending || candidates[b].past - candidates[a].past || a - b
  );
  const longest = candidates[order[0]].pending;
  const partial = longest > limits.prefill;
  const threshold = partial ? limits.prefill + 1 : longest > 1 ? 2 : 1;
  const alike = order.filter((i) => candidates[i].pending >= threshold);
  const width = Math.min(longest, limits.prefill);
  const past = Math.max(...alike.map((i) => candidates[i].past));
  const affordable = Math.max(1, Math.floor(limits.scores / (limits.heads * width * (past + width))));
  const most = Math.min(limits.rows, affordable);
  const rows = alike.slice(0, Math.ceil(alike.length / Math.ceil(alike.length / most)));
  if (partial) return { rows, steps: 1, partial };
  const remaining = Math.max(...rows.map((i) => candidates[i].remaining));
  // A few sequences that come late only catch up, and then go on together with the others.
  const catchUp = threshold === 2 && rows.length * 2 <= limits.rows && candidates.length > alike.length;
  const one = catchUp || limits.prefillsAlone && threshold === 2;
  return { rows, steps: one ? 1 : Math.min(limits.steps, remaining), partial };
}
