import { reportPhrases } from "../../report_phrases.ts";
import { brands, departments, optionValues } from "../generate/lexicon.ts";
import { numberedAsins } from "../generate/make_product.ts";
import { Rng } from "../../../stages/seed.ts";

const attributes = departments.flatMap((department) => department.attributes);
const nouns = departments.flatMap((department) => department.nouns);
const values = Object.values(optionValues).flat();

/**
 * Fixed phrases of the pages of small generated shops and of a report's JSON, one
 * token each. `:0` … stand both in a turn's `step:0` and in a report's pivot, so
 * that the pivot is copied, not counted. An attribute is one token, and so is an
 * ASIN.
 */
export const shopPhrases: readonly string[] = [
  "WebShop\nInstruction: \nfind me",
  "Instruction:\nfind me",
  " with color:",
  " with size:",
  " with flavor:",
  ", and size:",
  ", and price lower than",
  ".00 dollars",
  "\n[button] Search [button_]",
  "[button] Back to Search [button_]\nPage",
  " (Total results:",
  ")\n[button] Next > [button_]",
  ")\n[button] < Prev [button_]\n[button] Next > [button_]",
  "\n\n[button] ",
  "\n\n[clicked button] ",
  " [button_]\n",
  " [clicked button_]\n",
  "\n$",
  ".0",
  "[button] Back to Search [button_]\n[button] < Prev [button_]\n",
  ...["color\n", "size\n", "flavor\n", " [button_]\n", " [clicked button_]\n"].flatMap((before) => [
    `${before}  [button]`,
    `${before}  [clicked button]`,
  ]),
  "You have clicked",
  "\nPrice: $",
  "\nRating: N.A.\n[button] Description [button_]\n[button] Features [button_]\n[button] Reviews [button_]\n" +
  "[button] Buy Now [button_]",
  "Thank you for shopping with us!\nYour code: \nNone\n (Paste it in your MTurk interface.)\nPurchased\nasin\n",
  "\noptions\n",
  "\nattrs\nNone\ncategory\nNone\nquery\nNone\nproduct category\nNone\nTarget\nasin\noptions\nattrs\n" +
  "price upper\ninstuction text\ncategory\nproduct category\nquery\nGoal \nNone\nReward\n" +
  "Your score (min 0.0, max 1.0)\n",
  "\nReward Details \nNone\n",
  " from ",
  "search[",
  "click[",
  "]",
  "click[features]",
  "click[description]",
  "click[< prev]",
  "click[next >]",
  "click[buy now]",
  "click[back to search]",
  "\nFailure: not bought.",
  "\nFailure: wrong product.",
  "\nFailure: too expensive.",
  "\nFailure: not",
  "\nSuccess.",
  ...reportPhrases,
  ...attributes.flatMap((attribute) => [attribute, ` ${attribute}`]),
  ...numberedAsins(10, new Rng(0)).sort(),
  ...Array.from({ length: 15 }, (_, k) => `:${k}`),
];

/** Words that texts may need beside those of a sample. */
export const shopWords: readonly string[] = [
  ...[...nouns, ...values, ...brands].flatMap((word) => [word, ` ${word}`]),
  ...["take", "check", "search", "buy", "saw", "done", "took", "not", "below", "bought"].flatMap((word) => [
    word,
    ` ${word}`,
  ]),
  ...[".", ",", "}", "{", '"', ":", "\n"],
  ...Array.from({ length: 17 }, (_, i) => 5 * (i + 1)).flatMap((n) => [`${n}`, ` ${n}`]),
  ...Array.from({ length: 11 }, (_, n) => ` ${n}`),
];
