/** The tasks of ScienceWorld and how many variations each has. */
export const variations = {
  "boil": 30,
  "melt": 30,
  "freeze": 30,
  "change-the-state-of-matter-of": 30,
  "use-thermometer": 540,
  "measure-melting-point-known-substance": 436,
  "measure-melting-point-unknown-substance": 300,
  "power-component": 20,
  "power-component-renewable-vs-nonrenewable-energy": 20,
  "test-conductivity": 900,
  "test-conductivity-of-unknown-substances": 600,
  "find-living-thing": 300,
  "find-non-living-thing": 300,
  "find-plant": 300,
  "find-animal": 300,
  "grow-plant": 126,
  "grow-fruit": 126,
  "chemistry-mix": 32,
  "chemistry-mix-paint-secondary-color": 36,
  "chemistry-mix-paint-tertiary-color": 36,
  "lifespan-longest-lived": 125,
  "lifespan-shortest-lived": 125,
  "lifespan-longest-lived-then-shortest-lived": 125,
  "identify-life-stages-1": 14,
  "identify-life-stages-2": 10,
  "inclined-plane-determine-angle": 168,
  "inclined-plane-friction-named-surfaces": 1386,
  "inclined-plane-friction-unnamed-surfaces": 162,
  "mendelian-genetics-known-plant": 120,
  "mendelian-genetics-unknown-plant": 480,
} as const satisfies Readonly<Record<string, number>>;

/** A name in {@link variations}. */
export type TaskName = keyof typeof variations;

/** Every task's name. */
export const taskNames = Object.keys(variations) as TaskName[];

/** What `simplifications` may name, beside `easy`. */
export const simplifications = [
  "teleportAction",
  "selfWateringFlowerPots",
  "openContainers",
  "openDoors",
  "noElectricalAction",
] as const;
