/**
 * The user message of a reflective rollout: the problem, the failed attempt, and to
 * find its errors, repair the reasoning and derive a corrected solution (ReflectRL,
 * arXiv 2608.03972). `{problem}` and `{attempt}` stand for the two.
 */
export const REFLECTIVE_TEMPLATE = `### Problem
{problem}

### Previous attempt (known to be incorrect)
{attempt}

### Instructions
1. The result of the previous attempt is wrong; do not copy it.
2. Find its first wrong step and say why it is wrong.
3. Keep what is right before that step and repair it from there.
4. Give a full corrected solution in the format that the problem asks for.`;

/**
 * The same for a teacher whose reply a student without the attempt has to match: the
 * attempt is guidance and no truth, and the reply is a plain solution.
 */
export const TEACHER_TEMPLATE = `{problem}

### Private note
The attempt below is known to be incorrect. It is no reference: avoid its errors, and
solve the problem directly without mentioning it.
{attempt}`;

/** What {@link reflectivePrompt} fills in. */
export interface ReflectiveParts {
  /** Holds `{problem}` and `{attempt}`. */
  readonly template: string;
  /** The first user message of a direct rollout. */
  readonly problem: string;
  readonly attempt: string;
  /** Texts of the tokens that structure a conversation. */
  readonly specialTokens: readonly string[];
}

/** The template with the problem and, fenced, the attempt; special tokens in the attempt become plain text. */
export function reflectivePrompt({ template, problem, attempt, specialTokens }: ReflectiveParts): string {
  const shown = { problem, attempt: fenced(plainText(attempt, specialTokens)) };
  return template.replace(/\{(problem|attempt)\}/g, (_, name: keyof typeof shown) => shown[name]);
}

/** A fence that is longer than any run of backticks inside. */
function fenced(text: string): string {
  let longest = 2;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

/** `text` with a space inside whatever would be read as a special token. */
function plainText(text: string, specialTokens: readonly string[]): string {
  const tokens = [...specialTokens].filter((token) => token.length > 1).sort((a, b) => b.length - a.length);
  if (tokens.length === 0) return text;
  const pattern = new RegExp(tokens.map((token) => RegExp.escape(token)).join("|"), "g");
  return text.replace(pattern, (token) => `${token[0]} ${token.slice(1)}`);
}
