/** Parts of red, yellow and blue. */
export type Parts = readonly [red: number, yellow: number, blue: number];

/** Paints by their ratio of red, yellow and blue. */
const colours: Readonly<Record<string, Parts>> = {
  red: [1, 0, 0],
  yellow: [0, 1, 0],
  blue: [0, 0, 1],
  orange: [1, 1, 0],
  green: [0, 1, 1],
  purple: [1, 0, 1],
  vermilion: [2, 1, 0],
  amber: [1, 2, 0],
  lime: [0, 2, 1],
  teal: [0, 1, 2],
  violet: [1, 0, 2],
  magenta: [2, 0, 1],
};

/** Colours that are mixed of two primary ones in equal parts. */
export const secondary = ["orange", "green", "purple"] as const;

/** Colours that hold one primary one twice. */
export const tertiary = ["vermilion", "amber", "lime", "teal", "violet", "magenta"] as const;

/** Colours that are not mixed. */
export const primary = ["red", "yellow", "blue"] as const;

/** Parts of a colour. */
export function partsOf(colour: string): Parts {
  return colours[colour];
}

/** Primary colours that make up a colour, those needed twice named twice. */
export function ingredients(colour: string): string[] {
  return partsOf(colour).flatMap((count, i) => Array<string>(count).fill(primary[i]));
}

/** `green paint` for equal parts of yellow and blue; `brown paint` for a ratio without a name. */
export function paintName(parts: Parts): string {
  const unit = parts.reduce(gcd, 0);
  const colour = Object.keys(colours).find((name) =>
    colours[name].every((part, i) => part * unit === parts[i])
  );
  return `${colour ?? "brown"} paint`;
}

/** Names of every paint. */
export const paints: readonly string[] = [...Object.keys(colours), "brown"].map((name) => `${name} paint`);

function gcd(a: number, b: number): number {
  return b === 0 ? a : gcd(b, a % b);
}
