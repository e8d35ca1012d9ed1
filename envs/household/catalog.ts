import type { Change } from "./goal.ts";

/** Groups of things that the same receptacles take. */
type Group = "food" | "dish" | "tool" | "wash" | "office" | "decor" | "cloth" | "lamp";

/** A type of thing. */
export interface ObjectType {
  readonly group: Group;
  /** What can be done to it. */
  readonly changes: readonly Change[];
  /** Where it is found, with weights: the stable habit that makes search short. */
  readonly places: Readonly<Record<string, number>>;
  /** From this level on. */
  readonly level: number;
}

/** A type of receptacle. */
export interface ReceptacleType {
  /** Can be opened, and is shut at the start. */
  readonly openable: boolean;
  readonly holds: readonly Group[];
  readonly level: number;
}

const all: readonly Group[] = ["food", "dish", "tool", "wash", "office", "decor", "cloth", "lamp"];

/** Receptacle types by name. */
export const receptacleTypes: Readonly<Record<string, ReceptacleType>> = {
  cabinet: { openable: true, holds: ["dish", "tool", "wash", "decor"], level: 0 },
  drawer: { openable: true, holds: ["tool", "wash", "office", "decor"], level: 0 },
  countertop: { openable: false, holds: all, level: 0 },
  shelf: { openable: false, holds: ["dish", "tool", "office", "decor", "wash", "lamp"], level: 0 },
  desk: { openable: false, holds: ["dish", "office", "decor", "lamp"], level: 0 },
  diningtable: { openable: false, holds: ["food", "dish", "tool", "office", "decor"], level: 0 },
  sidetable: { openable: false, holds: ["food", "dish", "tool", "office", "decor", "lamp"], level: 0 },
  garbagecan: { openable: false, holds: ["food", "tool", "wash", "office"], level: 0 },
  safe: { openable: true, holds: ["office"], level: 0 },
  fridge: { openable: true, holds: ["food", "dish"], level: 0 },
  microwave: { openable: true, holds: ["food", "dish"], level: 0 },
  sinkbasin: { openable: false, holds: ["food", "dish", "tool", "wash"], level: 0 },
  stoveburner: { openable: false, holds: ["dish"], level: 0 },
  bathtubbasin: { openable: false, holds: ["wash", "cloth"], level: 0 },
  coffeetable: { openable: false, holds: ["dish", "office", "decor"], level: 2 },
  dresser: { openable: false, holds: ["office", "decor", "cloth", "lamp"], level: 2 },
  sofa: { openable: false, holds: ["office", "cloth"], level: 2 },
  bed: { openable: false, holds: ["office", "cloth"], level: 2 },
  toilet: { openable: false, holds: ["wash", "decor", "cloth"], level: 2 },
  coffeemachine: { openable: false, holds: ["dish"], level: 2 },
  cart: { openable: false, holds: ["wash", "decor", "cloth"], level: 3 },
  armchair: { openable: false, holds: ["office", "cloth"], level: 3 },
  tvstand: { openable: false, holds: ["office", "decor"], level: 3 },
  laundryhamper: { openable: true, holds: ["cloth"], level: 3 },
};

const hcc: readonly Change[] = ["heat", "cool", "clean"];
const thing = (
  group: Group,
  changes: readonly Change[],
  first: string,
  second: string,
  third: string,
  level = 0,
): ObjectType => ({ group, changes, places: { [first]: 8, [second]: 2, [third]: 1 }, level });

/** Object types by name. */
export const objectTypes: Readonly<Record<string, ObjectType>> = {
  apple: thing("food", hcc, "diningtable", "countertop", "fridge"),
  potato: thing("food", hcc, "countertop", "sinkbasin", "fridge"),
  tomato: thing("food", hcc, "fridge", "countertop", "diningtable"),
  egg: thing("food", hcc, "fridge", "sinkbasin", "countertop"),
  bread: thing("food", ["heat", "cool"], "countertop", "diningtable", "fridge"),
  lettuce: thing("food", ["cool", "clean"], "fridge", "sinkbasin", "countertop"),
  mug: thing("dish", hcc, "shelf", "desk", "cabinet"),
  cup: thing("dish", hcc, "sinkbasin", "shelf", "cabinet"),
  plate: thing("dish", hcc, "cabinet", "diningtable", "sinkbasin"),
  bowl: thing("dish", ["cool", "clean"], "diningtable", "shelf", "cabinet"),
  fork: thing("tool", ["clean"], "drawer", "diningtable", "sinkbasin"),
  spoon: thing("tool", ["clean"], "drawer", "sinkbasin", "diningtable"),
  knife: thing("tool", ["clean"], "countertop", "drawer", "sinkbasin"),
  dishsponge: thing("wash", ["clean"], "sinkbasin", "countertop", "drawer"),
  soapbar: thing("wash", ["clean"], "sinkbasin", "cabinet", "garbagecan"),
  book: thing("office", [], "shelf", "desk", "sidetable"),
  pen: thing("office", [], "desk", "drawer", "shelf"),
  cd: thing("office", [], "desk", "shelf", "drawer"),
  cellphone: thing("office", [], "sidetable", "desk", "diningtable"),
  keychain: thing("office", [], "sidetable", "drawer", "safe"),
  creditcard: thing("office", [], "desk", "sidetable", "drawer"),
  newspaper: thing("office", [], "garbagecan", "sidetable", "diningtable"),
  watch: thing("office", [], "sidetable", "safe", "shelf"),
  alarmclock: thing("decor", [], "sidetable", "desk", "shelf"),
  saltshaker: thing("decor", [], "countertop", "cabinet", "diningtable"),
  vase: thing("decor", [], "shelf", "diningtable", "sidetable"),
  desklamp: thing("lamp", [], "desk", "sidetable", "shelf"),
  pan: thing("dish", ["cool", "clean"], "stoveburner", "countertop", "cabinet", 2),
  pot: thing("dish", ["cool", "clean"], "stoveburner", "sinkbasin", "cabinet", 2),
  spatula: thing("tool", ["clean"], "drawer", "countertop", "sinkbasin", 2),
  ladle: thing("tool", ["clean"], "cabinet", "countertop", "sinkbasin", 2),
  butterknife: thing("tool", ["clean"], "drawer", "countertop", "sinkbasin", 2),
  soapbottle: thing("wash", [], "countertop", "cabinet", "garbagecan", 2),
  spraybottle: thing("wash", [], "cabinet", "countertop", "toilet", 2),
  pencil: thing("office", [], "desk", "drawer", "shelf", 2),
  laptop: thing("office", [], "desk", "bed", "sofa", 2),
  remotecontrol: thing("office", [], "sofa", "coffeetable", "dresser", 2),
  box: thing("decor", [], "coffeetable", "sidetable", "shelf", 2),
  statue: thing("decor", [], "dresser", "shelf", "coffeetable", 2),
  candle: thing("decor", [], "countertop", "toilet", "shelf", 2),
  tissuebox: thing("decor", [], "coffeetable", "sidetable", "dresser", 2),
  peppershaker: thing("decor", [], "countertop", "cabinet", "diningtable", 2),
  cloth: thing("cloth", ["clean"], "bathtubbasin", "cart", "toilet", 3),
  pillow: thing("cloth", [], "bed", "sofa", "armchair", 3),
};

/** Can a thing of this type be put into a receptacle of that type? */
export function canContain(receptacle: string, object: string): boolean {
  const type = objectTypes[object];
  return type !== undefined && (receptacleTypes[receptacle]?.holds.includes(type.group) ?? false);
}

/** Probability that a thing of this type is found in that type of receptacle, by habit. */
export function plausibility(object: string, receptacle: string): number {
  const places = objectTypes[object]?.places ?? {};
  const total = Object.values(places).reduce((a, b) => a + b, 0);
  return total === 0 ? 0 : (places[receptacle] ?? 0) / total;
}

/** `potato` of `potato 1`. */
export function typeOf(name: string): string {
  return name.slice(0, name.lastIndexOf(" "));
}
