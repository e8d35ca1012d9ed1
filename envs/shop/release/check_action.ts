import { pythonTexts } from "../python_text.ts";
import type { AvailableActions } from "./release_prompt.ts";

/** What the R³L authors' `validate_action` says against an action; null if nothing. */
export function checkAction(action: string, { hasSearchBar, clickables }: AvailableActions): string | null {
  const line = action.split("\n", 1)[0];
  const close = line.lastIndexOf("]");
  const open = close < 3 ? -1 : line.lastIndexOf("[", close - 2);
  if (open < 1) {
    return "Invalid action format. You should use format: action_name[action_arg], like search[query] or " +
      "click[button].";
  }
  const name = line.slice(0, open).trim();
  const argument = line.slice(open + 1, close).trim();
  if (name === "search") {
    if (argument === "") {
      return "Invalid search action, please type in the query you want to search in the square brackets.";
    }
    return hasSearchBar
      ? null
      : "Cannot perform search action without search bar. Please click the Back to Search button first.";
  }
  if (name !== "click") return `Unknown action '${name}'. Only 'search' and 'click' actions are supported.`;
  if (argument === "") return "Invalid click action, please specify the button name in the square brackets.";
  if (clickables.includes(argument.toLowerCase())) return null;
  return `Button '${argument}' not found on current page. Available buttons: ${pythonTexts(clickables)}`;
}
