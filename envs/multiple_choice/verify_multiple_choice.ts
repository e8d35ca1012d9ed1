import { afterThought } from "../verify/after_thought.ts";
import { boxes } from "../verify/boxes.ts";
import { accept, refuse, type Verdict } from "../verify/verdict.ts";

/** A question with options. */
export interface ChoiceGold {
  /** `A` to `Z`. */
  readonly answer: string;
  readonly options: readonly string[];
}

/** Why an answer is refused; `unparseable` is to be reported beside accuracy. */
export type ChoiceCategory = "unparseable" | "wrong";

/** Longest answer in characters. */
const longest = 2048;

/**
 * Verifies a multiple-choice answer: a letter or the exact text of one option, from
 * the last box, a last line `ANSWER: X`, or the last "answer is (X)", in this order.
 * Two letters, a letter beyond the options and lower-case letters are no answer.
 */
export function verifyMultipleChoice(reply: string, gold: ChoiceGold): Verdict<ChoiceCategory> {
  const text = choiceText(reply);
  if (text === null) return refuse("unparseable", "no box, ANSWER: line or 'answer is (X)'");
  const letter = choiceLetter(text, gold.options);
  if (letter === null) {
    return refuse("unparseable", `no single option of ${gold.options.length} in it`, text.slice(0, 200));
  }
  return letter === gold.answer ? accept(letter) : refuse("wrong", `chose ${letter}`, letter);
}

/** Where the answer stands in a reply, or null. */
export function choiceText(reply: string): string | null {
  const rest = afterThought(reply);
  if (rest === null) return null;
  const box = boxes(rest).at(-1);
  if (box) return box.content;
  const end = rest.trimEnd();
  const lastLine = end.slice(end.lastIndexOf("\n") + 1);
  const line = /^\W{0,8}answer\W{0,4}:\**(.*)$/i.exec(lastLine.slice(0, longest));
  if (line) return line[1];
  const at = rest.toLowerCase().lastIndexOf("answer is");
  const stated = at < 0
    ? null
    : /^answer is:?\s{0,4}(\(?[A-Z]\)?)(?![A-Za-z])/i.exec(rest.slice(at, at + 40));
  return stated ? stated[1] : null;
}

/** The letter that `text` means, or null. */
export function choiceLetter(text: string, options: readonly string[]): string | null {
  if (text.length > longest) return null;
  const bare = unwrap(text);
  const matching = options.flatMap((option, i) => plain(option) === bare ? [i] : []);
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ".slice(0, options.length);
  const match = /^\(?([A-Z])(?:\)|\.|:)*(?:\s+(.*))?$/s.exec(bare);
  if (match && letters.includes(match[1])) {
    const tail = match[2]?.trim() ?? "";
    const index = letters.indexOf(match[1]);
    // A single letter may itself be the text of another option: the letter as such wins.
    if (tail === "" || tail === plain(options[index])) return match[1];
  }
  return matching.length === 1 ? letters[matching[0]] : null;
}

function unwrap(text: string): string {
  let bare = text.trim();
  for (let i = 0; i < 4; i++) {
    const inner = /^\\(?:text|mathbf|mathrm|textbf|boxed)\s*\{([^{}]*)\}$/.exec(bare) ??
      /^\*\*([^*]*)\*\*$/.exec(bare) ?? /^\$([^$]*)\$$/.exec(bare);
    if (!inner) break;
    bare = inner[1].trim();
  }
  return plain(bare);
}

/** Without the point, comma or semicolon at the end. */
function plain(text: string): string {
  return text.trim().replace(/[.,;]$/, "").trim();
}
