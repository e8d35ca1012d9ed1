/** How hard a generated task is; 0 is the easiest. */
export type Level = 0 | 1 | 2 | 3;

/** A number as a level. @throws RangeError if it is none. */
export function levelOf(level: number): Level {
  if (level === 0 || level === 1 || level === 2 || level === 3) return level;
  throw new RangeError(`level is ${level}, not 0, 1, 2 or 3`);
}
