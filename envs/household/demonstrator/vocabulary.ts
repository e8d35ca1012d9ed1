import { reportPhrases } from "../../report_phrases.ts";
import { objectTypes, receptacleTypes } from "../catalog.ts";

/**
 * Fixed phrases of the household's texts and of a report's JSON, one token each.
 * `:0` … stand both in a turn's `step:0` and in a report's pivot, so that the
 * pivot is copied, not counted. Phrases that end with a space leave the word after
 * them in the form that it has at the start of a command.
 */
export const householdPhrases: readonly string[] = [
  "-= Welcome to TextWorld, ALFRED! =-\n\nYou are in the middle of a room. Looking quickly around you, you see",
  ".\n\nYour task is to:",
  "You arrive at",
  ". The",
  ". On the",
  ", you see",
  " is closed.",
  " is open. In it, you see",
  " is broken. The",
  " works.",
  " is locked.",
  "You open the",
  "You close the",
  "You pick up the",
  " from the",
  "You move the",
  " to the",
  "You heat the",
  "You cool the",
  "You clean the",
  " using the",
  "You turn on the",
  "Nothing happens.",
  "go to",
  "\nFailure: ",
  "\nSuccess.",
  ...reportPhrases,
  ...Array.from({ length: 60 }, (_, k) => `:${k}`),
];

/** Words that texts may need beside those of a sample: every type, number and command. */
export const householdWords: readonly string[] = [
  ...[
    "nothing",
    "a",
    "and",
    "two",
    "put",
    "look",
    "at",
    "in",
    "under",
    "with",
    "hot",
    "cool",
    "clean",
    "one",
    "not",
  ]
    .flatMap((word) => [word, ` ${word}`]),
  ...[
    "take",
    "move",
    "heat",
    "use",
    "open",
    "close",
    "examine",
    "slice",
    "inventory",
    "help",
    "failure",
    "success",
  ],
  ...[" from", " to", " found", " taken", " done", "done", "searched", "found", "took", ",", ".", "}"],
  ...Object.keys(receptacleTypes).map((type) => ` ${type}`),
  ...Object.keys(objectTypes).map((type) => ` ${type}`),
  ...Array.from({ length: 40 }, (_, n) => ` ${n}`),
];
