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
};
