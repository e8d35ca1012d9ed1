import { reportPhrases } from "../../report_phrases.ts";
import { rooms, thingTypes } from "../catalog.ts";
import { paints } from "../paints.ts";
import { substances } from "../substances.ts";

/**
 * Fixed phrases of the lab's texts and of a report's JSON, one token each. `:0` …
 * stand both in a turn's `step:0` and in a report's pivot, so that the pivot is
 * copied, not counted. Phrases that end with a space leave the word after them in
 * the form that it has at the start of a command.
 */
export const labPhrases: readonly string[] = [
  "Your task is to",
  "measure the temperature in the",
  " if above 40 degrees, else to the",
  " conducts and move it to the",
  " if so, else to the",
  " and move it to the",
  ". You can teleport to",
  ". You are in the",
  "You are in the",
  ". You see",
  ". On the",
  ". In the",
  ". Doors:",
  " (liquid",
  " (solid",
  " (gas",
  " (to",
  "), a",
  " (closed)",
  " (open)",
  " (on)",
  " (off)",
  " (wet)",
  " (dry)",
  "No known action matches that input.",
  "You open the",
  "You close the",
  "You focus on the",
  "You pick up the",
  "You move the",
  "You pour the",
  "You connect the",
  " is now on.",
  " is now off.",
  " is broken. The",
  " works.",
  " The light bulb is on.",
  " The light bulb stays off.",
  "The paints become",
  "Time passes.",
  "It is there.",
  "You carry that.",
  "You do not carry that.",
  "They are connected.",
  "One of them must be a wire.",
  " is connected at both ends.",
  "There is nothing to mix.",
  "You cannot hold the",
  "You cannot pour it there.",
  " is too heavy.",
  "The thermometer reads",
  " degrees.",
  " fills with water.",
  "teleport to",
  "focus on",
  "pick up",
  "use thermometer on",
  "\nFailure: ",
  "\nSuccess.",
  ...reportPhrases,
  ...[...rooms, ...Object.keys(thingTypes)].filter((name) => name.includes(" ")).map((name) => ` ${name}`),
  ...paints.map((name) => ` ${name}`),
  ...Array.from({ length: 60 }, (_, k) => `:${k}`),
];

/** Words that texts may need beside those of a sample: every name, number and command. */
export const labWords: readonly string[] = [
  ...[...rooms, ...Object.keys(thingTypes), ...Object.keys(substances)].map((name) => ` ${name}`)
    .filter((name) => !name.slice(1).includes(" ")),
  ...["not focused", "not heated", "not cooled", "not boiled", "not melted", "not frozen", "not measured"],
  ...["not tested", "not planted", "not watered", "not grown", "not poured", "not mixed", "not in box"],
  ...["wrong focus", "wrong box", "wrong mix"],
].flatMap((text) => text.startsWith(" ") ? [text] : text.split(" ").flatMap((word) => [word, ` ${word}`]))
  .concat(
    ["open", "close", "move", "pour", "mix", "connect", "activate", "wait", "look", "go", "disconnect"],
    [" to", " into", " in", " and", " nothing", " a", "done", "saw", "focused", ",", ".", "}", "-"],
    Array.from({ length: 101 }, (_, n) => ` ${n}`),
  );
