/** Where a thing is kept, by room, with weights: the stable habit that makes search short. */
export type Homes = Readonly<Record<string, number>>;

/** What a thing can do. */
export interface ThingType {
  readonly role:
    | "heater"
    | "cooler"
    | "tap"
    | "surface"
    | "cupboard"
    | "box"
    | "pot"
    | "vessel"
    | "thermometer"
    | "battery"
    | "bulb"
    | "wire"
    | "switch"
    | "plant"
    | "animal"
    | "object";
  /** Rooms where it is kept. */
  readonly homes: Homes;
  /** Electricity passes. */
  readonly conducts?: boolean;
  /** A sealed vessel whose contents keep their temperature. */
  readonly insulated?: boolean;
}

/** Every room that a lab may have. */
export const rooms = [
  "art studio",
  "bathroom",
  "bedroom",
  "garden",
  "greenhouse",
  "hallway",
  "kitchen",
  "living room",
  "workshop",
] as const;

const type = (role: ThingType["role"], homes: Homes, more: Partial<ThingType> = {}): ThingType => ({
  role,
  homes,
  ...more,
});
const object = (conducts: boolean, first: string, second: string) =>
  type("object", { [first]: 8, [second]: 2 }, { conducts });
const animal = (first: string, second: string) => type("animal", { [first]: 8, [second]: 2 });
const vessel = (more: Partial<ThingType> = {}) => type("vessel", { kitchen: 8, workshop: 2 }, more);
const box = type("box", {});
const pot = type("pot", { greenhouse: 1 });

/** Everything that is one thing, by name. Substances are contents of vessels: substances.ts. */
export const thingTypes: Readonly<Record<string, ThingType>> = {
  stove: type("heater", { kitchen: 1 }),
  "hot plate": type("heater", { workshop: 1 }),
  freezer: type("cooler", { kitchen: 1 }),
  sink: type("tap", { kitchen: 1 }),
  bathtub: type("tap", { bathroom: 1 }),
  table: type("surface", { kitchen: 1 }),
  "work table": type("surface", { workshop: 1 }),
  desk: type("surface", { bedroom: 1 }),
  shelf: type("surface", { "living room": 1 }),
  easel: type("surface", { "art studio": 1 }),
  bench: type("surface", { garden: 1 }),
  cupboard: type("cupboard", { kitchen: 1 }),
  toolbox: type("cupboard", { workshop: 1 }),
  chest: type("cupboard", { bedroom: 1 }),
  cabinet: type("cupboard", { "living room": 1 }),
  locker: type("cupboard", { "art studio": 1 }),

  "red box": box,
  "blue box": box,
  "green box": box,
  "yellow box": box,
  "white box": box,
  "black box": box,

  "clay pot": pot,
  "stone pot": pot,
  "plastic pot": pot,
  "iron pot": pot,

  pan: vessel(),
  cup: vessel(),
  "glass jar": vessel(),
  mug: vessel(),
  bowl: vessel(),
  beaker: vessel(),
  flask: vessel({ insulated: true }),
  "watering can": type("vessel", { greenhouse: 1 }),

  thermometer: type("thermometer", { kitchen: 1 }),
  battery: type("battery", { workshop: 1 }, { conducts: true }),
  "light bulb": type("bulb", { workshop: 1 }, { conducts: true }),
  "red wire": type("wire", { workshop: 1 }, { conducts: true }),
  "black wire": type("wire", { workshop: 1 }, { conducts: true }),
  "blue wire": type("wire", { workshop: 1 }, { conducts: true }),
  switch: type("switch", { workshop: 1 }, { conducts: true }),

  fork: object(true, "kitchen", "living room"),
  coin: object(true, "bedroom", "living room"),
  nail: object(true, "workshop", "garden"),
  key: object(true, "living room", "bedroom"),
  ring: object(true, "bedroom", "art studio"),
  paperclip: object(true, "art studio", "bedroom"),
  spanner: object(true, "workshop", "garden"),
  brick: object(false, "garden", "workshop"),
  sock: object(false, "bedroom", "living room"),
  candle: object(false, "living room", "bedroom"),
  book: object(false, "living room", "bedroom"),
  marble: object(false, "bedroom", "living room"),
  eraser: object(false, "art studio", "bedroom"),
  brush: object(false, "art studio", "workshop"),
  sponge: object(false, "kitchen", "bathroom"),

  frog: animal("garden", "greenhouse"),
  dove: animal("garden", "living room"),
  ant: animal("garden", "greenhouse"),
  snail: animal("greenhouse", "garden"),
  beetle: animal("garden", "greenhouse"),
  butterfly: animal("greenhouse", "garden"),
  mouse: animal("garden", "workshop"),

  tomato: type("plant", { greenhouse: 1 }),
  bean: type("plant", { greenhouse: 1 }),
  pea: type("plant", { greenhouse: 1 }),
  sunflower: type("plant", { greenhouse: 1 }),
  maize: type("plant", { greenhouse: 1 }),
  lavender: type("plant", { greenhouse: 1 }),
};

/** Names of a plant by its stage, after the name of its species. */
export const stages = ["seed", "seedling", "plant", "flower"] as const;

/** What works where another device is broken. */
export const standIns: Readonly<Record<string, string>> = { stove: "hot plate", sink: "bathtub" };

/** Things of these roles, in the order of the catalogue. */
export function thingsOf(...roles: readonly ThingType["role"][]): string[] {
  return Object.keys(thingTypes).filter((name) => roles.includes(thingTypes[name].role));
}

/** The role of a thing. */
export function roleOf(thing: string): ThingType["role"] {
  return thingTypes[thing].role;
}

const fixed: readonly ThingType["role"][] = ["heater", "cooler", "tap", "surface", "cupboard", "box", "pot"];

/** Stays where it is, and has room for other things. */
export function isHolder(thing: string): boolean {
  return fixed.includes(roleOf(thing));
}

/** Must be open to be reached into. */
export function isOpenable(thing: string): boolean {
  return roleOf(thing) === "cooler" || roleOf(thing) === "cupboard";
}

/** Can be switched on and off. */
export function isSwitchable(thing: string): boolean {
  return ["heater", "tap", "switch"].includes(roleOf(thing));
}

/** Is or was alive. */
export function isLiving(thing: string): boolean {
  return roleOf(thing) === "animal" || roleOf(thing) === "plant";
}
