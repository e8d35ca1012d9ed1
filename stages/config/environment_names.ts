/** Environments by the names that `task.environment` takes. */
export const environmentNames = [
  "household",
  "lab",
  "countdown",
  "math",
  "function_call",
  "multiple_choice",
  "remote",
  "shop",
  "scienceworld",
] as const;

/** A name in {@link environmentNames}. */
export type EnvironmentName = typeof environmentNames[number];

/** Where the tasks of an environment are from: generated, read from data files, or either. */
export const taskOrigin: Readonly<Record<EnvironmentName, "generated" | "files" | "either">> = {
  household: "generated",
  lab: "generated",
  countdown: "either",
  math: "files",
  function_call: "files",
  multiple_choice: "files",
  remote: "either",
  shop: "either",
  scienceworld: "generated",
};

/** The kinds of task that `task.kinds` can weigh, of the environments that generate several. */
export const taskKinds: Readonly<Partial<Record<EnvironmentName, readonly string[]>>> = {
  household: [
    "pick_and_place_simple",
    "pick_heat_then_place_in_recep",
    "pick_cool_then_place_in_recep",
    "pick_clean_then_place_in_recep",
    "look_at_obj_in_light",
    "pick_two_obj_and_place",
  ],
  shop: ["plain", "option", "two_options", "price", "feature"],
  lab: [
    "boil",
    "melt",
    "freeze",
    "measure_temperature",
    "find_living_thing",
    "find_non_living_thing",
    "test_conductivity",
    "grow_plant",
    "mix_paint",
  ],
  scienceworld: [
    "boil",
    "melt",
    "freeze",
    "change-the-state-of-matter-of",
    "use-thermometer",
    "measure-melting-point-known-substance",
    "measure-melting-point-unknown-substance",
    "power-component",
    "power-component-renewable-vs-nonrenewable-energy",
    "test-conductivity",
    "test-conductivity-of-unknown-substances",
    "find-living-thing",
    "find-non-living-thing",
    "find-plant",
    "find-animal",
    "grow-plant",
    "grow-fruit",
    "chemistry-mix",
    "chemistry-mix-paint-secondary-color",
    "chemistry-mix-paint-tertiary-color",
    "lifespan-longest-lived",
    "lifespan-shortest-lived",
    "lifespan-longest-lived-then-shortest-lived",
    "identify-life-stages-1",
    "identify-life-stages-2",
    "inclined-plane-determine-angle",
    "inclined-plane-friction-named-surfaces",
    "inclined-plane-friction-unnamed-surfaces",
    "mendelian-genetics-known-plant",
    "mendelian-genetics-unknown-plant",
  ],
};
